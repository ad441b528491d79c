"""Starts a run of the agent "warehouse" and prints its result: start_run.py <id> <question>"""

import asyncio
import hashlib
import json
import os
import sys
import uuid

from temporalio.client import Client, WorkflowFailureError
from temporalio.common import WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.envconfig import ClientConfig
from temporalio.exceptions import ApplicationError, WorkflowAlreadyStartedError


def memo(run: dict) -> dict:
    """What perdure's own client writes beside a run: `perdure list` and other starts read it."""
    asked = [run["agent"], run["input"], run["context"]]
    text = json.dumps(asked, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"agent": run["agent"], "inputDigest": digest, "startId": str(uuid.uuid4())}


async def main(run_id: str, question: str) -> int:
    config = ClientConfig.load_client_connect_config()
    client = await Client.connect(**{"target_host": "localhost:7233", **config})
    run = {"agent": "warehouse", "input": question, "context": {"customerId": "c7"}}
    try:
        handle = await client.start_workflow(
            "agent",
            run,
            id=run_id,
            task_queue=os.environ.get("PERDURE_TASK_QUEUE", "perdure"),
            memo={"perdure": memo(run)},
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
        )
    except WorkflowAlreadyStartedError:  # It has ended: its result is there.
        handle = client.get_workflow_handle(run_id)
    try:
        result = await handle.result()
    except WorkflowFailureError as failure:
        if not isinstance(failure.cause, ApplicationError):
            raise  # Cancelled, terminated or timed out.
        print(failure.cause.type, json.dumps(failure.cause.details[0]))
        return 1
    print(json.dumps(result))
    return 0 if result["stopReason"] == "answered" else 3


if __name__ == "__main__":
    code = asyncio.run(main(sys.argv[1], sys.argv[2]))
    sys.stdout.flush()
    # An ordinary exit of a program this short may abort: temporalio/sdk-python#300.
    os._exit(code)
