"""One small function a kind of intent: what is seen and was done → what to do next."""
