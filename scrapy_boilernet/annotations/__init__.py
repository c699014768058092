"""What people said of pages in the browser: read, put onto the pages' blocks, compared, and made a
data set that trains.
"""
