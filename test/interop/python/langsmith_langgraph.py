from search_graph import ask

ask()
