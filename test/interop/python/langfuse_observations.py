from langfuse import get_client, observe

langfuse = get_client()
assert langfuse.auth_check()
QUESTION = [{"role": "user", "content": "Is there cheese?"}]


@observe(as_type="tool")
def search(query):
    return f"found {query}"


@observe(as_type="tool")
def boom(query):
    raise ValueError("the tool broke")


def generate(name, output, tokens_in, tokens_out):
    with langfuse.start_as_current_observation(
        name=name, as_type="generation", model="fake-small", input=QUESTION
    ) as generation:
        usage = {"input": tokens_in, "output": tokens_out}
        generation.update(output={"role": "assistant", "content": output}, usage_details=usage)
    return output


@observe(name="searcher", as_type="agent")
def searcher(question):
    generate("decide", "I shall search.", 11, 7)
    search(query="cheese")
    try:
        boom(query="glass")
    except ValueError:
        pass
    return generate("answer", "There is cheese.", 20, 5)


print(searcher(QUESTION))
