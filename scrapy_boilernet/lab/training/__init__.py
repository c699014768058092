"""Training from gold texts and votes: data, fitting, calibration and model cards."""
