"""Pages and windows that talk a model into harm, a model that obeys them, and an oracle that was never the policy."""
