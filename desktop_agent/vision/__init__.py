"""Reads the screen: captures frames, encodes them, waits for stillness, lists elements, recognises text."""
