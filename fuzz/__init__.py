"""Fuzzing of all steps from bytes to labels; see README.md. Run its modules with ``python -m``."""
