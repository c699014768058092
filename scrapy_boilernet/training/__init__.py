"""Everything that needs gold labels: data sets, alignment, metrics, fitting, evaluation."""
