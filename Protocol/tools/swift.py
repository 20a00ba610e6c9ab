def outputs(_definitions):
    return {}
