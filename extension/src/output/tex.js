/** @param {string} text @returns {[number, number, string, string][]} */
export const formulasIn = (text) => (text ? [] : []);
/** @param {string} tex */
export const harmless = (tex) => tex;
