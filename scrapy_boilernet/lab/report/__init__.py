"""What people read of an evaluation: Markdown, HTML and plots."""
