"""What scenes declare: values, conditions, effects."""
