"""Forms in which something that is known may be printed, and what must not be taken for it: rows of a text and the
entry that comes first, None where nothing may be answered.
"""

import pytest

from app.asking.question_service import Questions

TRAINING, NO_CUDA, NOTHING = "skyrl/cuda-oom-training", "skyrl/cuda-is-available-false", None
# What was running tells apart what one message can mean; Ray names it without a file.
REMOTE_CALLS = (
    (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.20 GiB.\n"
        "ray.exceptions.RayTaskError(OutOfMemoryError): ray::WorkerDict.critic_update_critic() (pid=11, ip=10.0.0.2)",
        TRAINING,
    ),
    (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 64.00 MiB.\n"
        "ray.exceptions.RayTaskError(OutOfMemoryError): ray::ActorWorker.forward_backward() (pid=90, ip=10.1.0.2)",
        TRAINING,
    ),
    ("ray.exceptions.RayTaskError(OutOfMemoryError): ray::Ref.compute_ref_log_prob() (pid=4, ip=10.0.0.1)", TRAINING),
    ("ray.exceptions.RayTaskError(OutOfMemoryError): ray::Learner.optim_step() (pid=7, ip=10.0.0.8)", TRAINING),
    # another type, another call, a class made, and a name that only holds the name of the function
    ("ray.exceptions.RayTaskError(ValueError): ray::Critic.update_critic() (pid=88, ip=10.0.0.4)", NOTHING),
    ("ray.exceptions.RayTaskError(OutOfMemoryError): ray::Reader.read_rows() (pid=88, ip=10.0.0.4)", NOTHING),
    ("ray.exceptions.RayTaskError(OutOfMemoryError): ray::Critic.__init__() (pid=88, ip=10.0.0.4)", NOTHING),
    ("ray.exceptions.RayTaskError(OutOfMemoryError): ray::Critic.update_critics() (pid=88, ip=10.0.0.4)", NOTHING),
)
# An assertion without a message is known by its source, which stands below the last frame.
ASSERTIONS = (
    (
        '  File "/srv/job/check.py", line 9, in start\n    assert torch.cuda.is_available()\nAssertionError\n',
        "skyrl/cuda-is-available-false",
    ),
    (
        '  File "/srv/v/verl/trainer/ppo/ray_trainer.py", line 501, in _validate_config\n'
        "    assert real_train_batch_size % minimal_bsz == 0\n           ^^^^^^^^^^^^^^^^^^\nAssertionError\n",
        "verl/batch-size-relationships",
    ),
    (
        '  File "/v/deepspeed/runtime/zero/utils.py", line 88, in defragment\n'
        "    assert len(set(t.dtype for t in tensors)) == 1\nAssertionError\n",
        "deepspeed/zero3-defragment-dtype",
    ),
    ('  File "/a/b.py", line 3, in f\n    assert torch.backends.mps.is_available()\nAssertionError\n', NOTHING),
    ('  File "/a/b.py", line 3, in f\n    assert rows % shards == 0\nAssertionError\n', NOTHING),
    ("  File \"/a/b.py\", line 3, in f\n    assert torch.cuda.is_available()\nKeyError: 'lr'\n", NOTHING),
)

# A record of one key a line, and a table, say what the same record on one line says.
RECORDS = (
    (
        'logged\n{\n    "step": 3,\n    "reward": 0.0,\n    "reward_std": 0.0,\n    "grad_norm": 0.0\n}\n',
        "skyrl/rewards-always-zero",
    ),
    ("(T pid=1) {\n(T pid=1)  'kl': nan,\n(T pid=1)  'lr': 1e-06,\n(T pid=1) }\n", "skyrl/kl-divergence-nan"),
    ("step,reward,kl\n40,0.31,nan\n41,0.30,nan\n", "skyrl/kl-divergence-nan"),
    ("| step | reward | kl  |\n|------|--------|-----|\n| 12   | 0.2    | nan |\n", "skyrl/kl-divergence-nan"),
    ("epoch: 1\nreward: 0.0\nreward_std: 0.0\nlr: 0.1\n", "skyrl/rewards-always-zero"),
    ('{\n  "step": 3,\n  "reward": 0.4,\n  "reward_std": 0.2,\n  "grad_norm": 0.1\n}\n', NOTHING),
    ("step,reward,kl\n40,0.31,0.02\n41,0.30,0.03\n", NOTHING),
    ("iter\tloss\tlen\n1\t0.5\t611\n2\t0.4\t608\n", NOTHING),
)

# Lines that a model wrote again and again, one alone or several in turn; a program says so only where it is announced.
LOOP, PAIR = "Let me check the sum once more.\n", "so x is four\nand y is the same as x\n"
REPEATED_LINES = (
    ("response 12:\n" + 8 * LOOP, "skyrl/repetitive-outputs"),
    ("[rollout 3] output:\n" + 6 * PAIR, "skyrl/repetitive-outputs"),
    ("模型的回答：\n" + 8 * "所以答案是十二，我们再检查一遍。\n", "skyrl/repetitive-outputs"),
    ("generated text:\nThe sum is 4.\n" + 9 * LOOP, "skyrl/repetitive-outputs"),
    ("response 12:\n" + 2 * LOOP, NOTHING),
    (8 * "Setting pad_token_id to eos_token_id for open-end generation.\n", NOTHING),
    ("loading the shards:\n" + 8 * "the shard is read and checked\n", NOTHING),
    ("output:\n" + "".join(f"row {row} of the table is read\n" for row in range(9)), NOTHING),
)

# A logger may leave out the type of an exception; its message stands alone then, or behind a colon.
UNTYPED = (
    (
        "ERROR: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`",
        "skyrl/cuda-oom-startup",
    ),
    ("2026-03-01 10:00:00 ERROR [sql] query 4 failed: no such table: orders", "skyrl/sql-table-not-found"),
    (
        "[template] apply failed: Only user and assistant roles are supported!",
        "transformers/chat-template-refuses-messages",
    ),
    ("job 7: FAILED - Torch not compiled with CUDA enabled", "skyrl/cuda-is-available-false"),
    ("ERROR worker: reward_spec field is required", "skyrl/reward-spec-required"),
    # another type, words in the middle of a sentence, part of the words, and a line that is no error
    ("ValueError: no such table: orders", NOTHING),
    ("ERROR the waiter says there is no such table: four seats", NOTHING),
    ("ERROR: the role is not supported", NOTHING),
    ("ERROR: tool 4 was not found", NOTHING),
    ("2026-03-01 10:00:00 INFO [sql] tried: no such table: orders", NOTHING),
)

# What was typed at a prompt and the answer to it say one thing.
SESSIONS = (
    (">>> from torch import cuda\n>>> import torch\n>>> torch.cuda.is_available()\nFalse\n", NO_CUDA),
    ("In [4]: torch.cuda.is_available()\nOut[4]: False\n", NO_CUDA),
    ('$ python -c "import torch; print(torch.cuda.is_available())"\nFalse\n', NO_CUDA),
    ('(v) li@n3:~/r$ python -c "import torch;print(torch.cuda.is_available())"\nFalse\nli@n3:~/r$ exit\n', NO_CUDA),
    (
        "root@n3:/w# nvidia-smi\nNVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n",
        NO_CUDA,
    ),
    (">>> torch.cuda.is_available()\nTrue\n", NOTHING),
    (">>> torch.cuda.is_available()\n>>> model.training\nFalse\n", NOTHING),
    (">>> torch.backends.mps.is_available()\nFalse\n", NOTHING),
    ("$ which ray\n/opt/v/bin/ray\n$ ray --version\nray, version 2.40.0\n", NOTHING),
)

# The list of processes on a card says what a question is about that only says "this".
HELD = (
    "|    0   N/A  N/A     91231      C   ray::WorkerDict      70012MiB |\n"
    "|    1   N/A  N/A     91232    C+G   ...envs/rl/bin/python   70008MiB |\n"
)
# ps lists the rows of engines and workers below what was typed, and a remark stands below its answer
LISTED = "$ ps aux | grep -E 'VLLM|ray'\nli  51200 98.1  1.9 VLLM::EngineCore_DP0\nli  51377  0.2  0.3 ray::IDLE\n"
PROCESSES = (
    (f"the job is dead for an hour, how do I kill what is left?\n{LISTED}", "skyrl/kill-stuck-processes"),
    (
        f"{HELD}$ ps aux | grep train\nli 7 0.0 0.0 grep train\n# it ended at noon, how do I free it\n",
        "skyrl/clear-gpu-memory",
    ),
    (f"why is the loss of my run so high?\n{LISTED}", NOTHING),
    ("can this be cleared?\n$ ps aux\nli  51200 98.1  1.9 /usr/bin/vim\n", NOTHING),
    (LISTED, NOTHING),
    (f"任务已经退出半小时了还是这样，怎么释放？\n{HELD}", "skyrl/clear-gpu-memory"),
    (f"I stopped my job but these are still there, how do I get rid of them?\n{HELD}", "skyrl/clear-gpu-memory"),
    (f"{HELD}the job is dead for an hour, can this be cleared?\n", "skyrl/clear-gpu-memory"),
    (f"两个小时前就杀掉了，为什么还占着？\n{HELD}", "skyrl/clear-gpu-memory"),
    (HELD, NOTHING),
    (f"what is a good learning rate for this run?\n{HELD}", NOTHING),
    (f"why is the loss of my run so high?\n{HELD}", NOTHING),
    ("I stopped my job but these are still there, how do I get rid of them?\n| 1 | alice | 2 |\n", NOTHING),
)

# Somebody tells that what trains or serves stands still, and shows no error.
STANDS_STILL = (
    ("our GRPO run is stuck after the first rollout, nothing is printed, what can I do?", "pytorch/hang-without-error"),
    ("用 8 张卡微调的时候跑到第 300 步就卡住，日志也不再更新，请教一下怎么查", "pytorch/hang-without-error"),
    ("sglang freezes after two days, the port is open, and it takes no more requests", "pytorch/hang-without-error"),
    ("多机训练初始化之后一直卡着，两边显存都占了，没有任何输出", "pytorch/hang-without-error"),
    # a sentence before a command of many lines, and a command that says what was started
    (
        "Training hangs after the first checkpoint, no error:\ntorchrun --nproc_per_node 8 run.py \\\n"
        + "".join(
            f"    --{name} 1 \\\n" for name in ("lr", "seed", "epochs", "warmup", "batch", "rank", "alpha", "steps")
        ),
        "pytorch/hang-without-error",
    ),
    (
        "跑起来以后就卡住，没有任何输出\ntorchrun --nproc_per_node 8 run.py --config a.yaml",
        "pytorch/hangs-at-start-or-first-step",
    ),
    # something else stands still, or somebody
    ("the viewer freezes when I render the first frame of my training environment", NOTHING),
    ("I am stuck: how do I choose the learning rate for training with GRPO?", NOTHING),
    # an entry that does not speak of a standstill, whatever words it shares
    (
        "slime hangs right after SGLang has captured its CUDA graphs, no line from the trainer",
        "pytorch/hang-without-error",
    ),
    # nothing says that anything of the field runs
    ("my browser is stuck since this morning", NOTHING),
    ("单卡在同一台机器上够用吗", NOTHING),
    # the error says more than the words around it
    (
        "training is stuck, then this:\nRuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with "
        "multiprocessing, you must use the 'spawn' start method",
        "skyrl/cuda-reinit-forked-subprocess",
    ),
)

# Who tells that the memory is too small, and shows no error, is told what to lower or how to count.
MEMORY_TOLD = (
    ("bigger batches make my PPO training OOM, how can it use less?", TRAINING),
    (
        "LoRA with llamafactory is OOM at the first step of a 14B model:\nllamafactory-cli train \\\n"
        + "".join(
            f"    --{name} 1 \\\n" for name in ("lr", "seed", "epochs", "warmup", "batch", "rank", "alpha", "steps")
        ),
        TRAINING,
    ),
    # the error itself is cut away, the stack tells what was going on
    (
        "OOM with half of the card still free\n\nTraceback (most recent call last):\n"
        + "".join(
            f'  File "/venv/transformers/trainer.py", line {line}, in {name}\n    {name}(\n'
            for line, name in ((1696, "train"), (1973, "_inner_training_loop"), (2787, "training_step"))
        ),
        TRAINING,
    ),
    ("serving a 7B model with vllm on 16 GB: out of memory", "vllm/estimate-memory-serving"),
    ("推理服务一启动 vllm 就爆显存，卡是 16G 的", "vllm/estimate-memory-serving"),
    ("训练的时候显存一步一步往上涨，是不是泄漏了", "pytorch/memory-grows-over-steps"),
    # words between, and a line that a person quotes
    ("7B 做 grpo 训练显存老是不够，batch 已经是 1 了", TRAINING),
    ("微调跑了三百步以后爆显存，前面都正常", "pytorch/memory-grows-over-steps"),
    (
        "CUDA out of memory, is it the data? We train with PEFT and QLoRA, and it comes after a few steps on any card. "
        "I use Trainer. Do I miss something?",
        "pytorch/memory-grows-over-steps",
    ),
    ("长文本微调，机器内存被 oom killer 干掉了", "linux/host-memory-grows"),
    ("training runs out of RAM while the dataset is loaded, the oom killer ends it", "linux/host-memory-grows"),
    # memory of the host, what ran before, and what is to be avoided
    ("微调的时候主机内存爆了 OOM", "linux/host-memory-grows"),
    ("The same finetuning used to run, with the code of today it is OOM", NOTHING),
    ("Since I updated, the same sft is OOM", NOTHING),
    ("how do I avoid OOM when training longer sequences", NOTHING),
    ("how do I avoid OOM after a few steps of training", NOTHING),
)

# What programs say at their start or end, whatever fails between, is not what failed.
_OUT_OF_MEMORY = (
    '  File "/v/torch/autograd/__init__.py", line 347, in backward\n    _engine_run_backward(\n'
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"
)
BESIDE_HARMLESS = (
    (
        "(raylet) [2026-02-13 02:46:58,113 E 1683 1683] (raylet) main.cc:1032: Failed to establish connection to the "
        "metrics exporter agent. Metrics will not be exported. Exporter agent status: RpcError: Running out of "
        f"retries to initialize the metrics agent. rpc_code: 14\nmodel loaded in 12.3 s\n{_OUT_OF_MEMORY}",
        TRAINING,
    ),
    (f"Exception ignored in: <function Foo.__del__ at 0x7f00>\nmodel loaded in 12.3 s\n{_OUT_OF_MEMORY}", TRAINING),
    (f"Exception ignored in: <function Foo.__del__ at 0x7f00>\n{_OUT_OF_MEMORY}", NOTHING),
)

# Who asks how much memory something needs, or wonders that it takes so much.
MEMORY_ASKED = (
    ("14B 全参微调显存占用怎么算都对不上，八张 48G 的卡够不够", "transformers/estimate-memory-training"),
    (
        "Are two 24 GB cards enough memory to fine-tune an 8B model with lora at 16k context?",
        "transformers/estimate-memory-training",
    ),
    ("GRPO 训 14B 最少要几张卡，critic 不用", "verl/estimate-memory-rl"),
    ("微调一个 13B 的模型，单卡会不会爆显存", "transformers/estimate-memory-training"),
    # what saves memory, where it goes over time, and how it is logged
    ("sft 打开 packing 省显存吗，显存占用没变化", NOTHING),
    ("how do I log the memory usage of training in mlflow", NOTHING),
)

# A question that names another thing than an entry, or tells another kind of trouble, shares words with it and no more.
OF_ANOTHER_THING = (
    ("tensorflow 版本和 CUDA 版本怎么选，要装哪个", NOTHING),
    ("horovod 和 CUDA、torch 的版本怎么对应，该装哪个", NOTHING),
    ("请问是 transformers 版本的问题吗，最新的跑就报，该装哪个版本", "transformers/which-versions"),
    ("怎么把离线的 tensorboard 记录上传", NOTHING),
    ("lmdeploy 部署 7B 要多少显存", NOTHING),
    ("self-hosted swanlab: each experiment waits long for the cloud response, can it be faster?", NOTHING),
    # it names what people use instead
    (
        "sglang: which draft model and how many speculative tokens do I set for EAGLE speculative decoding",
        "sglang/speculative-decoding",
    ),
    # it names no NPU
    (
        "torch.cuda.memory_reserved() is much higher than what is allocated, does PyTorch reserve it ahead?",
        "pytorch/what-uses-gpu-memory",
    ),
    # nor a tracker, however many words of its titles it says
    ("训练打印出几行以后就不动了，显卡也没占", "pytorch/hang-without-error"),
    # what is named is meant, or stands beside a question that agrees well
    ("在昇腾 NPU 上训练显存不够怎么办", "pytorch/npu-out-of-memory"),
    ("how do I sync offline wandb runs", "wandb/offline-runs"),
    ("W&B sweep: five runs finish, then all others fail with OOM", "wandb/sweep-runs-fail"),
    ("verl 该装哪个版本的 vllm 和 transformers", "verl/which-versions"),
    ("unauthorized 401 from swanlab when the second run starts", "swanlab/unauthorized-401"),
    ("on our Slurm cluster checkpoints fill my disk, how do I keep only the last two", "linux/disk-fills-up"),
    # who types a title means it
    ("wandb 401 user is not logged in", "trinity-rft/wandb-api-key-not-configured"),
)

# A question without any word of the field is about something else, whatever words an entry shares with it.
OF_ANOTHER_FIELD = (
    ("导航软件一直定位失败，重启手机也没用，照着说明试过了，找谁问？", NOTHING),
    ("Excel 导出的文件在 Windows 上打开是乱码，编码怎么选？", NOTHING),
    ("my washing machine stops in the middle of a cycle, I tried everything, whom do I ask?", NOTHING),
    ("网页打开之后图片全都显示不出来，清了浏览器也不行，怎么解决？", NOTHING),
    ("蓝牙耳机换了手机还是不行，都试过了，该找谁？", NOTHING),
    ("怎么清空显存", "skyrl/clear-gpu-memory"),
    ("bitsandbytes 装了还是用不起来，总找一个不存在的文件", "bitsandbytes/cuda-setup-failed"),
    ("照着文档都试过了，还是不行，应该找谁问", "skyrl/getting-help"),
    ("nothing here solved my problem, where do I report it", "skyrl/getting-help"),
    ("file exported from Windows or Excel has the wrong encoding", "skyrl/unicode-decode-error-tokenization"),
)
GROUPS = (
    *REMOTE_CALLS,
    *ASSERTIONS,
    *RECORDS,
    *REPEATED_LINES,
    *UNTYPED,
    *SESSIONS,
    *PROCESSES,
    *STANDS_STILL,
    *MEMORY_TOLD,
    *BESIDE_HARMLESS,
    *MEMORY_ASKED,
    *OF_ANOTHER_THING,
    *OF_ANOTHER_FIELD,
)


@pytest.mark.parametrize(("text", "slug"), GROUPS)
def test_what_comes_first(text: str, slug: str | None, questions: Questions) -> None:
    matches = questions.ask(text).matches
    assert (matches[0].slug if matches else None) == slug


# Questions in other words than any title, and the entry that stands among the first three; None: nothing is listed.
NEAR = (
    (
        "Half of every iteration goes into copying weights over to the engines, can I shorten that?",
        "skyrl/weight-sync-slow",
    ),
    ("each step wastes half a minute before the servers have the updated parameters, why?", "skyrl/weight-sync-slow"),
    ("服务器上还有一大堆上次实验留下来的 worker，怎样一次清掉又不动别人的？", "skyrl/kill-stuck-processes"),
    ("两套框架我该选哪个，一个是 Trinity-RFT，一个是我们在用的 verl", "trinity-rft/difference-from-verl"),
    ("the answers of my policy never come to an end, it babbles until the token limit", "skyrl/repetitive-outputs"),
    ("which wine goes with fish and two kinds of cheese?", NOTHING),
    ("周末去哪里爬山比较好，两天一夜的那种？", NOTHING),
    ("what should I wear to a wedding that brings two families together?", NOTHING),
)


@pytest.mark.parametrize(("text", "slug"), NEAR)
def test_what_is_near_a_question(text: str, slug: str | None, questions: Questions) -> None:
    answer = questions.ask(text)
    first = [match.slug for match in (*answer.matches, *answer.related)][:3]
    assert slug in first if slug else not first


# Short lines that no answer is sure of, and the entry that stands first beside them: one with a message that says so.
SHORT = (
    ("RuntimeError: CUDA out of memory", "skyrl/cuda-oom-training"),
    ("Prefill out of memory", "skyrl/cuda-oom-generation"),
    ("no kernel image is available", "skyrl/no-kernel-image"),
    ("the actor died unexpectedly", "skyrl/ray-actor-died"),
    ("size mismatch for", "skyrl/state-dict-size-mismatch"),
)


@pytest.mark.parametrize(("text", "slug"), SHORT)
def test_what_a_short_line_is_nearest_to(text: str, slug: str, questions: Questions) -> None:
    answer = questions.ask(text)
    assert not answer.matches
    assert answer.related[0].slug == slug
