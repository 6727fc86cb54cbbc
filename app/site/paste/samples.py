"""Three pastes for a first try: a long log, a single line, and a question in words."""

from dataclasses import dataclass

from app.i18n import Lang


@dataclass(frozen=True, slots=True)
class Sample:
    """A paste to try; `key` names its label under `home.sample`."""

    key: str
    text: str


_LOG = """\
(ActorWorker(actor_infer-2) pid=30118) INFO [backends.py:416] Using cache directory: \
/home/user/.cache/vllm/torch_compile_cache/9a41c07d1e/rank_0_0 for vLLM's torch.compile
(ActorWorker(actor_infer-2) pid=30118) ERROR [core.py:387] EngineCore hit an exception: \
Traceback (most recent call last):
(ActorWorker(actor_infer-2) pid=30118)   File "/workspace/venv/lib/python3.10/site-packages/triton/runtime/cache.py", \
line 137, in put
(ActorWorker(actor_infer-2) pid=30118)     os.removedirs(temp_dir)
(ActorWorker(actor_infer-2) pid=30118) OSError: [Errno 16] Device or resource busy: \
'/home/user/.cache/vllm/torch_compile_cache/9a41c07d1e/rank_0_0/triton_cache/Q7LMBD/tmp.pid_30118_5d2e'
(ActorWorker(actor_infer-2) pid=30118)
(ActorWorker(actor_infer-2) pid=30118) The above exception was the direct cause of the following exception:
(ActorWorker(actor_infer-2) pid=30118)
(ActorWorker(actor_infer-2) pid=30118) torch._dynamo.exc.BackendCompilerFailed: \
backend='<vllm.compilation.backends.VllmBackend object at 0x7f1b2c60d3f0>' raised:
(ActorWorker(actor_infer-2) pid=30118) OSError: [Errno 16] Device or resource busy: \
'/home/user/.cache/vllm/torch_compile_cache/9a41c07d1e/rank_0_0/triton_cache/Q7LMBD/tmp.pid_30118_5d2e'
Traceback (most recent call last):
  File "/workspace/ROLL/examples/start_agentic_pipeline.py", line 29, in main
    pipeline = AgenticPipeline(pipeline_config=ppo_config)
  File "/workspace/venv/lib/python3.10/site-packages/ray/_private/worker.py", line 930, in get_objects
    raise value
ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.
"""

_LINE = "NotImplementedError: TensorDict does not support membership checks with the `in` keyword. \
If you want to check if a particular key is in your TensorDict, please use `key in tensordict.keys()` instead."

_QUESTION = {
    "en": "How do train batch size, mini batch size and micro batch size relate in verl?",
    "zh": "verl 里 train batch size、mini batch size 和 micro batch size 是什么关系？",
}


def samples(lang: Lang) -> tuple[Sample, ...]:
    """Return the samples for the home page in `lang`."""
    return Sample("log", _LOG), Sample("line", _LINE), Sample("question", _QUESTION[lang])
