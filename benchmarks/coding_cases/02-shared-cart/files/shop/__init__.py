from .cart import Cart, Line
from .discounts import best_discount

__all__ = ["Cart", "Line", "best_discount"]
