"""The classical labelers crf, svm, gbdt and grf, with their features."""
