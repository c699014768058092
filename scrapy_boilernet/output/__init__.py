"""How is the kept content written: one flat document, and a writer each for Markdown and HTML."""
