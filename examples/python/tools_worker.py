"""The tools of the agent "warehouse": a Temporal worker that polls the task queue "warehouse"."""

import asyncio

from temporalio import activity
from temporalio.client import Client
from temporalio.envconfig import ClientConfig
from temporalio.exceptions import ApplicationError
from temporalio.worker import Worker

STOCK = {"A-100": 12, "A-200": 0}
RESERVATIONS: dict[str, dict] = {}


def tool_error(message: str) -> ApplicationError:
    """The one kind of error whose message the model reads; asking again would not help."""
    return ApplicationError(message, type="ToolError", non_retryable=True)


@activity.defn
async def check_stock(call: dict) -> dict:
    sku = call["args"]["sku"]
    if sku not in STOCK:
        raise tool_error(f"There is no article {sku}.")
    return {"sku": sku, "pieces": STOCK[sku]}


@activity.defn
async def reserve_stock(call: dict) -> dict:
    # The same key comes with every attempt at one call: a unique column of a database, in earnest.
    key = call["idempotencyKey"]
    if key not in RESERVATIONS:
        sku, pieces = call["args"]["sku"], call["args"]["pieces"]
        if STOCK.get(sku, 0) < pieces:
            raise tool_error(f"There are not {pieces} pieces of {sku}.")
        STOCK[sku] -= pieces
        RESERVATIONS[key] = {"sku": sku, "pieces": pieces, "for": call["context"]["customerId"]}
    return RESERVATIONS[key]


async def main() -> None:
    config = ClientConfig.load_client_connect_config()
    client = await Client.connect(**{"target_host": "localhost:7233", **config})
    worker = Worker(client, task_queue="warehouse", activities=[check_stock, reserve_stock])
    print('polls task queue "warehouse"', flush=True)
    await worker.run()


if __name__ == "__main__":
    asyncio.run(main())
