"""The REST API: routes under /api/v1, the two health checks, and errors as problem+json."""

from fastapi import APIRouter

from app.api import entries, health, match, search, submissions
from app.api.describe import describe
from app.api.problems import error_response

__all__ = ["describe", "error_response", "router"]

# the name of its function is what a generated client calls an operation
router = APIRouter(generate_unique_id_function=lambda route: route.name)
for _family in (match, search, entries, submissions):
    router.include_router(_family.router, prefix="/api/v1")
router.include_router(health.router)
