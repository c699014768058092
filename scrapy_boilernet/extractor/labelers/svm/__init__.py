"""The labeler ``svm``, after Yao and Zuo, with its features."""
