/** The extension's database: the model that the user chose, and annotations with their pages. */

const NAME = "boilernet";
const VERSION = 2;
const STORES = /** @type {const} */ (["models", "annotations", "pages"]);

/** @typedef {typeof STORES[number]} Store */

/** @param {IDBRequest} request @returns {Promise<any>} its result */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @returns {Promise<IDBDatabase>} the opened database */
function opened() {
  const request = indexedDB.open(NAME, VERSION);
  request.onupgradeneeded = () => {
    const { objectStoreNames } = request.result;
    for (const store of STORES) {
      if (!objectStoreNames.contains(store)) request.result.createObjectStore(store);
    }
  };
  return done(request);
}

/**
 * @param {Store} store
 * @param {(store: IDBObjectStore) => IDBRequest} act
 * @returns {Promise<any>} the result of the request
 */
export async function read(store, act) {
  const database = await opened();
  try {
    return await done(act(database.transaction(store, "readonly").objectStore(store)));
  } finally {
    database.close();
  }
}

/**
 * Changes a store; returns when the change is on the disk.
 *
 * @param {Store} store
 * @param {(store: IDBObjectStore) => IDBRequest} act
 */
export async function write(store, act) {
  const database = await opened();
  try {
    const transaction = database.transaction(store, "readwrite", { durability: "strict" });
    act(transaction.objectStore(store));
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}
