"""The classical labelers and what they read of a page: crf, svm, gbdt, grf."""
