"""Training from gold labels and votes: data, fitting, calibration, model cards."""
