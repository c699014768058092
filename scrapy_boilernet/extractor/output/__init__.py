"""What a labeled page gives besides its plain text: Markdown, HTML and metadata."""
