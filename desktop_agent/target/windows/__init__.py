"""What a Windows desktop is made of: its keys, its inputs, its windows."""
