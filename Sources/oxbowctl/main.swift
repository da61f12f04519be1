print("oxbowctl")
