"""Everything that learns from gold labels: data, fitting, calibration, cards."""
