"""A machine that is seen through a camera and worked by keys over HTTP or USB."""
