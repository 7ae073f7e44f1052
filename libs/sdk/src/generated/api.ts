// Written by npm run openapi.

export interface paths {
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Says whose key this is and what it may do.
         * @description Needs the permission `identity:read`.
         */
        get: operations["me_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Says how much is taken at once. Beyond a limit a request is refused, and never cut.
         * @description Needs the permission `identity:read`.
         */
        get: operations["limits_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Founds an organization, with its first admin key. Takes the operator's root key.
         * @description Needs the permission `organizations:create`.
         */
        post: operations["organizations_found"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows the organization of the key.
         * @description Needs the permission `organization:read`.
         */
        get: operations["organizations_own"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the keys that the caller's key sees.
         * @description Needs the permission `keys:read`.
         */
        get: operations["apiKeys_list"];
        put?: never;
        /**
         * Mints a key. The key itself is in this answer only.
         * @description Needs the permission `keys:manage`.
         */
        post: operations["apiKeys_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows one key, without its secret.
         * @description Needs the permission `keys:read`.
         */
        get: operations["apiKeys_get"];
        put?: never;
        post?: never;
        /**
         * Revokes a key and every key that it minted. They stop working within a second.
         * @description Needs the permission `keys:manage`.
         */
        delete: operations["apiKeys_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a key a successor; the old secret works on through its grace.
         * @description Needs the permission `keys:manage`.
         */
        post: operations["apiKeys_rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the projects that the key sees.
         * @description Needs the permission `projects:read`.
         */
        get: operations["projects_list"];
        put?: never;
        /**
         * Creates a project.
         * @description Needs the permission `projects:create`.
         */
        post: operations["projects_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows one project.
         * @description Needs the permission `projects:read`.
         */
        get: operations["projects_get"];
        put?: never;
        post?: never;
        /**
         * Deletes a project; with cascade=true its agents and their runs, too.
         * @description Needs the permission `projects:manage`.
         */
        delete: operations["projects_remove"];
        options?: never;
        head?: never;
        /**
         * Changes the name or the description.
         * @description Needs the permission `projects:manage`.
         */
        patch: operations["projects_change"];
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the agents that the key sees.
         * @description Needs the permission `agents:read`.
         */
        get: operations["agents_list"];
        put?: never;
        /**
         * Creates an agent with its version 1.
         * @description Needs the permission `agents:create`.
         */
        post: operations["agents_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows one agent.
         * @description Needs the permission `agents:read`.
         */
        get: operations["agents_get"];
        put?: never;
        post?: never;
        /**
         * Deletes an agent with all that is below it. It is out of sight at once; a call that broke off may be repeated.
         * @description Needs the permission `agents:manage`.
         */
        delete: operations["agents_remove"];
        options?: never;
        head?: never;
        /**
         * Changes an agent; a different adapter, config or description makes a new version.
         * @description Needs the permission `agents:manage`.
         */
        patch: operations["agents_change"];
        trace?: never;
    };
    "/v1/agents/{agent_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the versions of an agent.
         * @description Needs the permission `agents:read`.
         */
        get: operations["agentVersions_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/versions/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compares two versions.
         * @description Needs the permission `agents:read`.
         */
        get: operations["agentVersions_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows one version.
         * @description Needs the permission `agents:read`.
         */
        get: operations["agentVersions_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a new version with the content of an old one; nothing changes when that is the present content.
         * @description Needs the permission `agents:manage`.
         */
        post: operations["agentVersions_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/model-prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the prices of the organization.
         * @description Needs the permission `prices:read`.
         */
        get: operations["modelPrices_list"];
        put?: never;
        /**
         * Sets what the organization pays for a model, instead of the list price.
         * @description Needs the permission `prices:manage`.
         */
        post: operations["modelPrices_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/model-prices/{price_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows one price.
         * @description Needs the permission `prices:read`.
         */
        get: operations["modelPrices_get"];
        put?: never;
        post?: never;
        /**
         * Deletes a price. What steps cost by it stays.
         * @description Needs the permission `prices:manage`.
         */
        delete: operations["modelPrices_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the runs that the key sees.
         * @description Needs the permission `runs:read`.
         */
        get: operations["runs_list"];
        put?: never;
        /**
         * Creates a run, and starts it at once when asked to.
         * @description Needs the permission `runs:report`.
         */
        post: operations["runs_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows one run; with include=…, the first page of what belongs to it.
         * @description Needs the permission `runs:read`.
         */
        get: operations["runs_get"];
        put?: never;
        post?: never;
        /**
         * Deletes a run with all that is below it. For a day, its id answers late writes with 410.
         * @description Needs the permission `runs:delete`.
         */
        delete: operations["runs_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a pending run.
         * @description Needs the permission `runs:report`.
         */
        post: operations["runMoves_start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pauses a running run until people have decided what it asks.
         * @description Needs the permission `runs:report`.
         */
        post: operations["runMoves_wait"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lets a waiting run go on, with the answer that it waited for.
         * @description Needs the permission `runs:control`.
         */
        post: operations["runMoves_resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/succeed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends a run well.
         * @description Needs the permission `runs:report`.
         */
        post: operations["runMoves_succeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends a run badly; what is still open below it fails with it.
         * @description Needs the permission `runs:report`.
         */
        post: operations["runMoves_fail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calls a run off; what is still open below it is cancelled with it.
         * @description Needs the permission `runs:control`.
         */
        post: operations["runMoves_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prolongs the lease of the holder, and tells whether to stop.
         * @description Needs the permission `runs:report`.
         */
        post: operations["runMoves_heartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Picks up the oldest pending run of an agent, and starts it under a lease.
         * @description Needs the permission `runs:report`.
         */
        post: operations["runCopies_claim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a new run that does again what this one did; it waits to be picked up.
         * @description Needs the permission `runs:control`.
         */
        post: operations["runCopies_retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/checkpoints/{index}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a new run that goes on from a checkpoint of this one; it waits to be picked up.
         * @description Needs the permission `runs:control`.
         */
        post: operations["runCopies_fork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/lineage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows where a run comes from, and which runs came from it.
         * @description Needs the permission `runs:read`.
         */
        get: operations["runCopies_lineage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Streams what happened to a run and what happens, as server-sent events.
         * @description Needs the permission `runs:read`.
         */
        get: operations["runEvents_follow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ws/execution/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Opens a WebSocket that tells what happened to a run and what happens, as execution events.
         * @description Needs the permission `runs:read`.
         */
        get: operations["execution_follow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Streams what happens to all runs that the key sees, as server-sent events.
         * @description Needs the permission `runs:read`.
         */
        get: operations["events_follow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Says something to those who follow a run at this moment. It is not kept.
         * @description Needs the permission `runs:report`.
         */
        post: operations["live_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/compare/{other_run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compares two runs: their steps side by side, and what differs.
         * @description Needs the permission `runs:read`.
         */
        get: operations["comparison_compare"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists what runs ask of people: the inbox of the key.
         * @description Needs the permission `runs:read`.
         */
        get: operations["approvals_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{approval_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows one approval, with what was asked and what was answered.
         * @description Needs the permission `runs:read`.
         */
        get: operations["approvals_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{approval_id}/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decides an approval, once. With the last decision that it waits for the run goes on.
         * @description Needs the permission `runs:control`.
         */
        post: operations["approvals_decide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/approvals/{approval_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows an approval of a run; with wait=…, as soon as it is decided.
         * @description Needs the permission `runs:read`.
         */
        get: operations["runApprovals_await"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists who did what to what, as far as the key sees it.
         * @description Needs the permission `audit:read`.
         */
        get: operations["auditLog_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the bulk actions that the key sees.
         * @description Needs the permission `runs:read`.
         */
        get: operations["bulkActions_list"];
        put?: never;
        /**
         * Does something to many runs, in the background; with dry_run, tells what it would come to.
         * @description Needs the permission `runs:control`.
         */
        post: operations["bulkActions_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-actions/{bulk_action_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows a bulk action and how far it has come.
         * @description Needs the permission `runs:read`.
         */
        get: operations["bulkActions_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-actions/{bulk_action_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stops a bulk action where it is. What it has done stays done.
         * @description Needs the permission `runs:control`.
         */
        post: operations["bulkActions_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the steps of a run.
         * @description Needs the permission `runs:read`.
         */
        get: operations["steps_list"];
        put?: never;
        /**
         * Adds a step to a run, at the next index.
         * @description Needs the permission `runs:report`.
         */
        post: operations["steps_add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/steps/{step_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows one step.
         * @description Needs the permission `runs:read`.
         */
        get: operations["steps_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Updates or completes a step. The first completion wins.
         * @description Needs the permission `runs:report`.
         */
        patch: operations["steps_change"];
        trace?: never;
    };
    "/v1/runs/{run_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the messages of a run.
         * @description Needs the permission `runs:read`.
         */
        get: operations["messages_list"];
        put?: never;
        /**
         * Adds a message to a run, at the next index.
         * @description Needs the permission `runs:report`.
         */
        post: operations["messages_add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/tool-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the tool calls of a run.
         * @description Needs the permission `runs:read`.
         */
        get: operations["toolCalls_list"];
        put?: never;
        /**
         * Adds a tool call to a run.
         * @description Needs the permission `runs:report`.
         */
        post: operations["toolCalls_add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/tool-calls/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Completes the oldest open call of a name in a step, for adapters that know no ids.
         * @description Needs the permission `runs:report`.
         */
        post: operations["toolCalls_completeOldest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/tool-calls/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows one tool call.
         * @description Needs the permission `runs:read`.
         */
        get: operations["toolCalls_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Completes a tool call. The first completion wins.
         * @description Needs the permission `runs:report`.
         */
        patch: operations["toolCalls_complete"];
        trace?: never;
    };
    "/v1/agents/{agent_id}/tool-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists an agent's calls outside its runs, newest first.
         * @description Needs the permission `runs:read`.
         */
        get: operations["agentToolCalls_list"];
        put?: never;
        /**
         * Adds a tool call that an agent makes outside its runs.
         * @description Needs the permission `runs:report`.
         */
        post: operations["agentToolCalls_add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/tool-calls/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows one call outside runs.
         * @description Needs the permission `runs:read`.
         */
        get: operations["agentToolCalls_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Completes a call outside runs. The first completion wins.
         * @description Needs the permission `runs:report`.
         */
        patch: operations["agentToolCalls_complete"];
        trace?: never;
    };
    "/v1/runs/{run_id}/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the checkpoints of a run, without their states.
         * @description Needs the permission `runs:read`.
         */
        get: operations["checkpoints_list"];
        put?: never;
        /**
         * Adds a checkpoint to a run, at the next index.
         * @description Needs the permission `runs:report`.
         */
        post: operations["checkpoints_add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/checkpoints/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows the checkpoint with the highest index, with its state.
         * @description Needs the permission `runs:read`.
         */
        get: operations["checkpoints_latest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/checkpoints/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows one checkpoint with its state.
         * @description Needs the permission `runs:read`.
         */
        get: operations["checkpoints_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes a batch of items, in any order and any number of times. Each has its verdict.
         * @description Needs the permission `runs:report`.
         */
        post: operations["ingest_ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        NamedOrganization: {
            /**
             * Format: uuid
             * @description The id.
             * @example 01a22b4c-0a1b-7d0a-8a4e-195c3b0d2e87
             */
            id: string;
            /**
             * @description The name.
             * @example Acme
             */
            name: string;
            /**
             * @description The short name, unique in the installation.
             * @example acme
             */
            slug: string;
        };
        NamedResponse: {
            /**
             * Format: uuid
             * @description The id.
             * @example 01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10
             */
            id: string;
            /**
             * @description The name.
             * @example travel
             */
            name: string;
        };
        OwnKeyResponse: {
            /**
             * Format: uuid
             * @description The key.
             * @example 01a22b4d-9a3d-7f18-8c60-3b7e5d2f4a65
             */
            id: string;
            /**
             * @description The part of the key that is no secret.
             * @example 4esMxcX0g9jF
             */
            public_id: string;
            /**
             * @description How far the key sees.
             * @example project
             * @enum {string}
             */
            scope: "organization" | "project" | "agent";
            /**
             * @description What the key may do.
             * @example reporter
             * @enum {string}
             */
            role: "viewer" | "reporter" | "operator" | "admin";
            /**
             * Format: date-time
             * @description When the key stops working.
             * @example null
             */
            expires_at: string | null;
        };
        MeResponse: {
            /** @description The organization of the key. */
            organization: components["schemas"]["NamedOrganization"];
            /** @description The project, of a project or agent key. */
            project: components["schemas"]["NamedResponse"] | null;
            /** @description The agent, of an agent key. */
            agent: components["schemas"]["NamedResponse"] | null;
            /** @description The key itself. */
            key: components["schemas"]["OwnKeyResponse"];
            /**
             * @description What the key may do, in its scope.
             * @example [
             *       "identity:read",
             *       "projects:read",
             *       "agents:read",
             *       "runs:read",
             *       "runs:report"
             *     ]
             */
            permissions: ("identity:read" | "organization:read" | "projects:read" | "projects:create" | "projects:manage" | "agents:read" | "agents:create" | "agents:manage" | "keys:read" | "keys:manage" | "audit:read" | "prices:read" | "prices:manage" | "runs:read" | "runs:report" | "runs:control" | "runs:delete")[];
        };
        LimitsResponse: {
            /**
             * Format: int64
             * @description Bytes of a request.
             * @example 1048576
             */
            request_bytes: number;
            /**
             * Format: int64
             * @description Bytes of a batch, after decompression.
             * @example 20971520
             */
            batch_bytes: number;
            /**
             * Format: int64
             * @description Items of a batch.
             * @example 5000
             */
            batch_items: number;
            /**
             * Format: int64
             * @description Bytes of one payload, such as an input or a state.
             * @example 4194304
             */
            payload_bytes: number;
            /**
             * Format: int64
             * @description Levels of arrays and objects in one payload.
             * @example 64
             */
            payload_depth: number;
            /**
             * Format: int64
             * @description Rows of a page.
             * @example 200
             */
            page_size: number;
            /**
             * Format: int64
             * @description Bytes of batches that one process has under way at once.
             * @example 67108864
             */
            in_flight_bytes: number;
            /**
             * Format: int64
             * @description Items that one key may report in a second; 0: no quota.
             * @example 0
             */
            items_per_second_of_key: number;
            /**
             * Format: int64
             * @description Items that an organization may report in a second; 0: no quota.
             * @example 0
             */
            items_per_second_of_organization: number;
        };
        /**
         * @example {
         *       "name": "Acme",
         *       "slug": "acme"
         *     }
         */
        CreateOrganizationDto: {
            /** @description The name of the organization. */
            name: string;
            /**
             * @description A short name for addresses, unique in the installation.
             * @example acme
             */
            slug: string;
        };
        NewApiKeyResponse: {
            /**
             * Format: uuid
             * @description The key.
             * @example 01a22b4d-9a3d-7f18-8c60-3b7e5d2f4a65
             */
            id: string;
            /**
             * @description How far the key sees.
             * @example project
             * @enum {string}
             */
            scope: "organization" | "project" | "agent";
            /**
             * Format: uuid
             * @description The project of a project or agent key.
             * @example 01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10
             */
            project_id: string | null;
            /**
             * Format: uuid
             * @description The agent of an agent key.
             * @example null
             */
            agent_id: string | null;
            /**
             * @description What the key may do.
             * @example reporter
             * @enum {string}
             */
            role: "viewer" | "reporter" | "operator" | "admin";
            /**
             * @description What the key is for.
             * @example planner in production
             */
            name: string;
            /**
             * @description The part of the key that is no secret; logs name the key by it.
             * @example 4esMxcX0g9jF
             */
            public_id: string;
            /**
             * @description The last four characters of the key.
             * @example x3Kd
             */
            hint: string;
            /**
             * Format: date-time
             * @description When the key stops working.
             * @example null
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked.
             * @example null
             */
            revoked_at: string | null;
            /**
             * Format: uuid
             * @description The key that this one follows.
             * @example null
             */
            rotated_from: string | null;
            /**
             * Format: date-time
             * @description Until when the key still works after its rotation.
             * @example null
             */
            grace_until: string | null;
            /**
             * Format: uuid
             * @description The key that minted this one.
             * @example 01a22b4c-7b2c-7e09-9b5f-2a6d4c1e3f76
             */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, to the minute.
             * @example 2026-03-02T09:30:02.443000Z
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When the key was minted.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * @description The key itself, a text. It is in this answer only: a replay of the request has `null` here.
             * @example af_prj_4esMxcX0g9jF_…
             */
            key: unknown;
        };
        FoundedOrganizationResponse: {
            /**
             * Format: uuid
             * @description The organization. It is the tenant that everything in it belongs to.
             * @example 01a22b4c-0a1b-7d0a-8a4e-195c3b0d2e87
             */
            id: string;
            /**
             * @description The name.
             * @example Acme
             */
            name: string;
            /**
             * @description The short name, unique in the installation.
             * @example acme
             */
            slug: string;
            /**
             * @description Settings of the organization.
             * @example {}
             */
            settings: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was founded.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-03-02T09:30:02.443000Z
             */
            updated_at: string;
            /** @description The first admin key. Its secret is in this answer only. */
            api_key: components["schemas"]["NewApiKeyResponse"];
        };
        OrganizationResponse: {
            /**
             * Format: uuid
             * @description The organization. It is the tenant that everything in it belongs to.
             * @example 01a22b4c-0a1b-7d0a-8a4e-195c3b0d2e87
             */
            id: string;
            /**
             * @description The name.
             * @example Acme
             */
            name: string;
            /**
             * @description The short name, unique in the installation.
             * @example acme
             */
            slug: string;
            /**
             * @description Settings of the organization.
             * @example {}
             */
            settings: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was founded.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-03-02T09:30:02.443000Z
             */
            updated_at: string;
        };
        /**
         * @example {
         *       "name": "planner in production",
         *       "scope": "project",
         *       "project_id": "01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10",
         *       "role": "reporter"
         *     }
         */
        CreateApiKeyDto: {
            /**
             * @description What the key is for.
             * @example ci reporter
             */
            name: string;
            /**
             * @description How far the key sees. Not wider than the key that mints it.
             * @enum {string}
             */
            scope: "organization" | "project" | "agent";
            /**
             * Format: uuid
             * @description The project of a project key.
             */
            project_id?: string;
            /**
             * Format: uuid
             * @description The agent of an agent key.
             */
            agent_id?: string;
            /**
             * @description What the key may do. Not more than the key that mints it.
             * @enum {string}
             */
            role: "viewer" | "reporter" | "operator" | "admin";
            /**
             * Format: date-time
             * @description When the key stops working. Not later than the key that mints it.
             */
            expires_at?: string;
        };
        ApiKeyResponse: {
            /**
             * Format: uuid
             * @description The key.
             * @example 01a22b4d-9a3d-7f18-8c60-3b7e5d2f4a65
             */
            id: string;
            /**
             * @description How far the key sees.
             * @example project
             * @enum {string}
             */
            scope: "organization" | "project" | "agent";
            /**
             * Format: uuid
             * @description The project of a project or agent key.
             * @example 01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10
             */
            project_id: string | null;
            /**
             * Format: uuid
             * @description The agent of an agent key.
             * @example null
             */
            agent_id: string | null;
            /**
             * @description What the key may do.
             * @example reporter
             * @enum {string}
             */
            role: "viewer" | "reporter" | "operator" | "admin";
            /**
             * @description What the key is for.
             * @example planner in production
             */
            name: string;
            /**
             * @description The part of the key that is no secret; logs name the key by it.
             * @example 4esMxcX0g9jF
             */
            public_id: string;
            /**
             * @description The last four characters of the key.
             * @example x3Kd
             */
            hint: string;
            /**
             * Format: date-time
             * @description When the key stops working.
             * @example null
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked.
             * @example null
             */
            revoked_at: string | null;
            /**
             * Format: uuid
             * @description The key that this one follows.
             * @example null
             */
            rotated_from: string | null;
            /**
             * Format: date-time
             * @description Until when the key still works after its rotation.
             * @example null
             */
            grace_until: string | null;
            /**
             * Format: uuid
             * @description The key that minted this one.
             * @example 01a22b4c-7b2c-7e09-9b5f-2a6d4c1e3f76
             */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, to the minute.
             * @example 2026-03-02T09:30:02.443000Z
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When the key was minted.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
        };
        ApiKeyPage: {
            /** @description Newest first. */
            data: components["schemas"]["ApiKeyResponse"][];
            /**
             * @description The cursor of the next page; `null` on the last one.
             * @example null
             */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "grace_seconds": 3600
         *     }
         */
        RotateApiKeyDto: {
            /** @description Seconds for which the old secret still works. Default 86,400, a day. */
            grace_seconds?: number;
        };
        /**
         * @example {
         *       "name": "travel",
         *       "description": "Everything about trips."
         *     }
         */
        CreateProjectDto: {
            /**
             * @description Unique in the organization, case-sensitive.
             * @example support-bot
             */
            name: string;
            /** @description What the project is for. */
            description?: string | null;
        };
        ProjectResponse: {
            /**
             * Format: uuid
             * @description The project.
             * @example 01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10
             */
            id: string;
            /**
             * @description Unique in the organization.
             * @example travel
             */
            name: string;
            /**
             * @description What the project is for.
             * @example Everything about trips.
             */
            description: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-03-02T09:30:02.443000Z
             */
            updated_at: string;
        };
        ProjectPage: {
            /** @description Newest first. */
            data: components["schemas"]["ProjectResponse"][];
            /**
             * @description The cursor of the next page; `null` on the last one.
             * @example null
             */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "name": "trips"
         *     }
         */
        ChangeProjectDto: {
            /** @description A new name, unique in the organization. */
            name?: string;
            /** @description A new description; `null` clears it. */
            description?: string | null;
        };
        /**
         * @example {
         *       "project_id": "01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10",
         *       "name": "planner",
         *       "adapter": "langgraph",
         *       "config": {
         *         "model": "gpt-4o-mini",
         *         "temperature": 0.2
         *       }
         *     }
         */
        CreateAgentDto: {
            /**
             * Format: uuid
             * @description The project that the agent belongs to.
             */
            project_id: string;
            /**
             * @description Unique in the organization, case-sensitive.
             * @example researcher
             */
            name: string;
            /** @description What runs the agent, such as `langgraph`, `openai-agents` or `custom`. */
            adapter: string;
            /** @description The definition of the agent, in whatever form its adapter has. */
            config?: {
                [key: string]: unknown;
            };
            /** @description What the agent is for. */
            description?: string | null;
        };
        AgentResponse: {
            /**
             * Format: uuid
             * @description The agent.
             * @example 01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21
             */
            id: string;
            /**
             * Format: uuid
             * @description The project that it belongs to.
             * @example 01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10
             */
            project_id: string;
            /**
             * @description Unique in the organization.
             * @example planner
             */
            name: string;
            /**
             * @description What the agent is for.
             * @example Looks for flights and hotels.
             */
            description: string | null;
            /**
             * @description What runs the agent.
             * @example langgraph
             */
            adapter: string;
            /**
             * @description The definition of the agent.
             * @example {
             *       "model": "gpt-4o-mini",
             *       "temperature": 0.2
             *     }
             */
            config: {
                [key: string]: unknown;
            };
            /**
             * @description The present version; it rises by one with each change.
             * @example 2
             */
            version: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-03-02T09:30:02.443000Z
             */
            updated_at: string;
        };
        AgentPage: {
            /** @description Newest first. */
            data: components["schemas"]["AgentResponse"][];
            /**
             * @description The cursor of the next page; `null` on the last one.
             * @example null
             */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "config": {
         *         "model": "gpt-4o-mini",
         *         "temperature": 0.2
         *       },
         *       "note": "larger model"
         *     }
         */
        ChangeAgentDto: {
            /** @description A new name. It makes no new version. */
            name?: string;
            /** @description A new adapter. A different one makes a new version. */
            adapter?: string;
            /** @description A new config, in full. One of different content makes a new version. */
            config?: {
                [key: string]: unknown;
            };
            /** @description A new description; `null` clears it. */
            description?: string | null;
            /** @description A note on the new version; without a new version it is not kept. */
            note?: string;
        };
        AgentVersionResponse: {
            /**
             * Format: uuid
             * @description The agent.
             * @example 01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21
             */
            agent_id: string;
            /**
             * @description The number of the version.
             * @example 2
             */
            version: number;
            /**
             * @description What ran the agent.
             * @example langgraph
             */
            adapter: string;
            /**
             * @description The definition of the agent in this version.
             * @example {
             *       "model": "gpt-4o-mini",
             *       "temperature": 0.2
             *     }
             */
            config: {
                [key: string]: unknown;
            };
            /**
             * @description What the agent was for.
             * @example Looks for flights and hotels.
             */
            description: string | null;
            /**
             * @description Why the version was made.
             * @example larger model
             */
            note: string | null;
            /**
             * Format: date-time
             * @description When the version was made.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
        };
        AgentVersionPage: {
            /** @description Newest version first. */
            data: components["schemas"]["AgentVersionResponse"][];
            /**
             * @description The cursor of the next page; `null` on the last one.
             * @example null
             */
            next_cursor: string | null;
        };
        TextChange: {
            /**
             * @description The text before.
             * @example custom
             */
            from: string | null;
            /**
             * @description The text after.
             * @example langgraph
             */
            to: string | null;
        };
        ConfigDiffResponse: {
            /**
             * @description What only the later version has: a map from JSON Pointer (RFC 6901) to value.
             * @example {
             *       "/temperature": 0.2
             *     }
             */
            added: {
                [key: string]: unknown;
            };
            /**
             * @description What only the earlier version has: a map from JSON Pointer to value.
             * @example {}
             */
            removed: {
                [key: string]: unknown;
            };
            /**
             * @description What differs: a map from JSON Pointer to the two values.
             * @example {
             *       "/model": {
             *         "from": "gpt-4o",
             *         "to": "gpt-4o-mini"
             *       }
             *     }
             */
            changed: {
                [key: string]: components["schemas"]["ValueChange"];
            };
        };
        AgentDiffResponse: {
            /**
             * @description The version compared from.
             * @example 1
             */
            from_version: number;
            /**
             * @description The version compared to.
             * @example 2
             */
            to_version: number;
            /** @description The adapters, when they differ. */
            adapter: components["schemas"]["TextChange"] | null;
            /** @description The descriptions, when they differ. */
            description: components["schemas"]["TextChange"] | null;
            /** @description Objects are compared member by member, arrays and scalars whole. */
            config: components["schemas"]["ConfigDiffResponse"];
        };
        /**
         * @example {
         *       "model": "our-llama",
         *       "input": "0.2",
         *       "output": "0.6",
         *       "cache_read": "0.02"
         *     }
         */
        CreateModelPriceDto: {
            /**
             * @description The model, exactly as steps name it.
             * @example gpt-4o-mini
             */
            model: string;
            /** @description The provider, exactly as steps name it. Without one the price is for every provider. */
            provider?: string | null;
            /** @description Tokens that go in: US dollars per million tokens, at most 10 decimals, as a number or as text. */
            input: number | string;
            /** @description Tokens that come out: US dollars per million tokens, at most 10 decimals, as a number or as text. */
            output: number | string;
            /** @description Tokens that are read from a cache: US dollars per million tokens, at most 10 decimals, as a number or as text. They cost as much as the others if it is left out. */
            cache_read?: (number | string) | null;
            /** @description Tokens that are written to a cache: US dollars per million tokens, at most 10 decimals, as a number or as text. They cost as much as the others if it is left out. */
            cache_write?: (number | string) | null;
            /**
             * Format: date-time
             * @description Steps that started from then on cost this much, until a later price begins. Without it the price was valid always.
             */
            valid_from?: string | null;
        };
        ModelPriceResponse: {
            /**
             * Format: uuid
             * @description The price.
             * @example 01a22b4d-8d25-7a94-8bf5-5ac6f4d28ba9
             */
            id: string;
            /**
             * @description The model that it is for.
             * @example our-llama
             */
            model: string;
            /**
             * @description The provider that it is for; `null` for every provider.
             * @example null
             */
            provider: string | null;
            /**
             * Format: decimal
             * @description US dollars per million tokens that go in.
             * @example 0.2
             */
            input: string;
            /**
             * Format: decimal
             * @description US dollars per million tokens that come out.
             * @example 0.6
             */
            output: string;
            /**
             * Format: decimal
             * @description Per million tokens from a cache; `null`: as the others.
             * @example 0.02
             */
            cache_read: string | null;
            /**
             * Format: decimal
             * @description Per million tokens into a cache; `null`: as the others.
             * @example null
             */
            cache_write: string | null;
            /**
             * Format: date-time
             * @description When it begins to be valid; `null` if it was valid always.
             * @example null
             */
            valid_from: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
        };
        ModelPricePage: {
            /** @description Newest first. */
            data: components["schemas"]["ModelPriceResponse"][];
            /**
             * @description The cursor of the next page; `null` on the last one.
             * @example null
             */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "name": "planner",
         *       "adapter": "langgraph",
         *       "config": {
         *         "model": "gpt-4o-mini",
         *         "temperature": 0.2
         *       }
         *     }
         */
        AgentReferenceDto: {
            /** @description The name of the agent. An unknown one is registered in the project of the key or the run. */
            name: string;
            /** @description What runs the agent. A different one makes a new version. */
            adapter: string;
            /** @description The definition of the agent. A different one makes a new version. */
            config?: {
                [key: string]: unknown;
            };
            /** @description What the agent is for. */
            description?: string | null;
        };
        /**
         * @example {
         *       "project_id": "01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10",
         *       "agent": {
         *         "name": "planner",
         *         "adapter": "langgraph",
         *         "config": {
         *           "model": "gpt-4o-mini",
         *           "temperature": 0.2
         *         }
         *       },
         *       "input": "Where to in October?",
         *       "start": true
         *     }
         */
        CreateRunDto: {
            /**
             * Format: uuid
             * @description The id of the run, best a UUIDv7. The same one again is the same run.
             */
            id?: string;
            /**
             * Format: uuid
             * @description The agent that runs. Either this or `agent` has to be given.
             */
            agent_id?: string;
            /** @description The agent by name, registered on first sight. */
            agent?: components["schemas"]["AgentReferenceDto"];
            /**
             * Format: uuid
             * @description The agent's project; an organization key needs it to register an agent.
             */
            project_id?: string;
            /** @description What runs the agent this time. Default: the adapter of the agent. */
            adapter?: string;
            /** @description A name for people. */
            name?: string;
            /** @description What the agent was asked, as it was sent. */
            input?: unknown;
            /** @description Whatever else belongs to the run. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Labels to find the run by. */
            tags?: string[];
            /** @description The conversation or session that the run belongs to. */
            session_id?: string;
            /** @description The id of the run elsewhere, unique in the organization. */
            external_id?: string;
            /**
             * Format: uuid
             * @description The run that started this one as its sub-agent.
             */
            parent_run_id?: string;
            /** @description Seconds that a holder may be silent. */
            lease_seconds?: number;
            /**
             * Format: date-time
             * @description When the run really started. Default: when it is started here.
             */
            started_at?: string;
            /** @description Start at once: the run is created as `running`. Default `false`. */
            start?: boolean;
        };
        RunTotalsResponse: {
            /**
             * Format: int64
             * @description Steps.
             * @example 3
             */
            steps: number;
            /**
             * Format: int64
             * @description Steps that failed.
             * @example 0
             */
            failed_steps: number;
            /**
             * Format: int64
             * @description Tool calls.
             * @example 1
             */
            tool_calls: number;
            /**
             * Format: int64
             * @description Tool calls that failed.
             * @example 0
             */
            failed_tool_calls: number;
            /**
             * Format: int64
             * @description Messages.
             * @example 2
             */
            messages: number;
            /**
             * @description Tokens read by models, summed over the deepest steps that say so; exact.
             * @example 412
             */
            tokens_in: number;
            /**
             * @description Tokens written by models, summed alike; exact.
             * @example 58
             */
            tokens_out: number;
            /**
             * Format: decimal
             * @description US dollars, summed alike; exact.
             * @example 0.0000966
             */
            cost_usd: string;
        };
        HeldRunResponse: {
            /**
             * Format: uuid
             * @description The run.
             * @example 01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32
             */
            id: string;
            /**
             * Format: uuid
             * @description The project that it was created under; it is judged by it for ever.
             * @example 01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10
             */
            project_id: string;
            /**
             * Format: uuid
             * @description The agent that runs.
             * @example 01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21
             */
            agent_id: string;
            /**
             * @description The agent's version when the run was created.
             * @example 2
             */
            agent_version: number;
            /**
             * @description What runs the agent.
             * @example langgraph
             */
            adapter: string;
            /**
             * @description Where the run stands.
             * @example running
             * @enum {string}
             */
            status: "pending" | "running" | "waiting_human" | "succeeded" | "failed" | "cancelled";
            /**
             * @description Whether the run has ended: nothing leaves this status.
             * @example false
             */
            is_terminal: boolean;
            /**
             * @description The statuses that one move can reach.
             * @example [
             *       "waiting_human",
             *       "succeeded",
             *       "failed",
             *       "cancelled"
             *     ]
             */
            allowed_transitions: ("pending" | "running" | "waiting_human" | "succeeded" | "failed" | "cancelled")[];
            /**
             * @description A name for people.
             * @example trip to Lisbon
             */
            name: string | null;
            /**
             * @description Labels to find the run by.
             * @example [
             *       "trial"
             *     ]
             */
            tags: string[];
            /**
             * @description The kind of error, of a run that failed.
             * @example null
             */
            error_type: string | null;
            /**
             * @description The conversation or session that the run belongs to.
             * @example thread-1
             */
            session_id: string | null;
            /**
             * @description The id of the run elsewhere.
             * @example null
             */
            external_id: string | null;
            /**
             * Format: uuid
             * @description The run that this one comes from.
             * @example null
             */
            parent_run_id: string | null;
            /**
             * @description Why the run has a parent.
             * @example null
             * @enum {string|null}
             */
            origin: "retry" | "fork" | "subagent" | null;
            /**
             * Format: uuid
             * @description The checkpoint of the parent that a fork began with.
             * @example null
             */
            from_checkpoint_id: string | null;
            /**
             * Format: date-time
             * @description When the run started.
             * @example 2026-03-02T09:30:00.120000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the run ended.
             * @example null
             */
            ended_at: string | null;
            /**
             * Format: date-time
             * @description Since when the run waits for people, while it does.
             * @example null
             */
            waiting_since: string | null;
            /**
             * Format: int64
             * @description Milliseconds that the run has waited for people, without the wait under way.
             * @example 0
             */
            waited_ms: number;
            /**
             * @description How good the outcome is, from 0 to 1.
             * @example 0.9
             */
            quality_score: number | null;
            /** @description Sums over all that belongs to the run. */
            totals: components["schemas"]["RunTotalsResponse"];
            /**
             * Format: date-time
             * @description When the run was created.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the run or its totals last changed.
             * @example 2026-03-02T09:30:02.443000Z
             */
            updated_at: string;
            /**
             * @description What the agent was asked, as it was sent.
             * @example Where to in October?
             */
            input: unknown;
            /**
             * @description What the agent came to, as it was sent.
             * @example null
             */
            output: unknown;
            /**
             * @description What went wrong, or why the run was called off.
             * @example null
             */
            error: string | null;
            /**
             * @description Whatever else belongs to the run.
             * @example {
             *       "region": "eu"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description What the run waits for: `question`, `payload` and `kind` as given.
             * @example null
             */
            waiting_for: unknown;
            /**
             * @description The answer that the run was last resumed with.
             * @example null
             */
            resume_input: unknown;
            /**
             * Format: date-time
             * @description When the lease of the holder ends, unless a heartbeat prolongs it.
             * @example 2026-03-02T09:31:00.120000Z
             */
            lease_expires_at: string | null;
            /**
             * Format: uuid
             * @description Proves in heartbeats who holds the lease; absent without a lease.
             * @example 5b8e2c0d-3f6a-4d17-9c2b-8e1f7a604bba
             */
            lease_token: string | null;
        };
        RunSummary: {
            /**
             * Format: uuid
             * @description The run.
             * @example 01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32
             */
            id: string;
            /**
             * Format: uuid
             * @description The project that it was created under; it is judged by it for ever.
             * @example 01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10
             */
            project_id: string;
            /**
             * Format: uuid
             * @description The agent that runs.
             * @example 01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21
             */
            agent_id: string;
            /**
             * @description The agent's version when the run was created.
             * @example 2
             */
            agent_version: number;
            /**
             * @description What runs the agent.
             * @example langgraph
             */
            adapter: string;
            /**
             * @description Where the run stands.
             * @example succeeded
             * @enum {string}
             */
            status: "pending" | "running" | "waiting_human" | "succeeded" | "failed" | "cancelled";
            /**
             * @description Whether the run has ended: nothing leaves this status.
             * @example true
             */
            is_terminal: boolean;
            /**
             * @description The statuses that one move can reach.
             * @example []
             */
            allowed_transitions: ("pending" | "running" | "waiting_human" | "succeeded" | "failed" | "cancelled")[];
            /**
             * @description A name for people.
             * @example trip to Lisbon
             */
            name: string | null;
            /**
             * @description Labels to find the run by.
             * @example [
             *       "trial"
             *     ]
             */
            tags: string[];
            /**
             * @description The kind of error, of a run that failed.
             * @example null
             */
            error_type: string | null;
            /**
             * @description The conversation or session that the run belongs to.
             * @example thread-1
             */
            session_id: string | null;
            /**
             * @description The id of the run elsewhere.
             * @example null
             */
            external_id: string | null;
            /**
             * Format: uuid
             * @description The run that this one comes from.
             * @example null
             */
            parent_run_id: string | null;
            /**
             * @description Why the run has a parent.
             * @example null
             * @enum {string|null}
             */
            origin: "retry" | "fork" | "subagent" | null;
            /**
             * Format: uuid
             * @description The checkpoint of the parent that a fork began with.
             * @example null
             */
            from_checkpoint_id: string | null;
            /**
             * Format: date-time
             * @description When the run started.
             * @example 2026-03-02T09:30:00.120000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the run ended.
             * @example 2026-03-02T09:30:02.443000Z
             */
            ended_at: string | null;
            /**
             * Format: date-time
             * @description Since when the run waits for people, while it does.
             * @example null
             */
            waiting_since: string | null;
            /**
             * Format: int64
             * @description Milliseconds that the run has waited for people, without the wait under way.
             * @example 0
             */
            waited_ms: number;
            /**
             * @description How good the outcome is, from 0 to 1.
             * @example 0.9
             */
            quality_score: number | null;
            /** @description Sums over all that belongs to the run. */
            totals: components["schemas"]["RunTotalsResponse"];
            /**
             * Format: date-time
             * @description When the run was created.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the run or its totals last changed.
             * @example 2026-03-02T09:30:02.443000Z
             */
            updated_at: string;
        };
        RunPage: {
            /** @description Newest first, without payloads. */
            data: components["schemas"]["RunSummary"][];
            /**
             * @description The cursor of the next page; `null` on the last one.
             * @example null
             */
            next_cursor: string | null;
        };
        StepResponse: {
            /**
             * Format: uuid
             * @description The step.
             * @example 01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43
             */
            id: string;
            /**
             * Format: uuid
             * @description The run that it belongs to.
             * @example 01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32
             */
            run_id: string;
            /**
             * @description Its place in the run: from 0, without gaps.
             * @example 0
             */
            index: number;
            /**
             * @description The node of the graph, or whatever the step is called.
             * @example search
             */
            node: string;
            /**
             * @description The kind of step.
             * @example llm
             */
            kind: string | null;
            /**
             * @description Where the step stands.
             * @example succeeded
             * @enum {string}
             */
            status: "pending" | "running" | "retrying" | "succeeded" | "failed" | "skipped" | "cancelled";
            /**
             * Format: uuid
             * @description The step of the same run that this one belongs to.
             * @example null
             */
            parent_step_id: string | null;
            /**
             * @description What went into the step, as it was sent.
             * @example {
             *       "to": "LIS"
             *     }
             */
            input: unknown;
            /**
             * @description What came out of the step, as it was sent.
             * @example {
             *       "flight": "TP 535",
             *       "eur": 119
             *     }
             */
            output: unknown;
            /**
             * @description What went wrong.
             * @example null
             */
            error: string | null;
            /**
             * @description The kind of error; `run_ended` when the run failed around it.
             * @example null
             */
            error_type: string | null;
            /**
             * Format: int64
             * @description Milliseconds.
             * @example 2323
             */
            latency_ms: number | null;
            /**
             * Format: int64
             * @description Tokens that a model read.
             * @example 412
             */
            tokens_in: number | null;
            /**
             * Format: int64
             * @description Tokens that a model wrote.
             * @example 58
             */
            tokens_out: number | null;
            /**
             * @description Finer counts.
             * @example {
             *       "cache_read_tokens": 128
             *     }
             */
            token_details: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: decimal
             * @description US dollars.
             * @example 0.0000966
             */
            cost_usd: string | null;
            /**
             * @description Where the cost comes from: the reporter, the list price of the model, or a price of the organization. `null` without a cost.
             * @example computed
             * @enum {string|null}
             */
            cost_source: "reported" | "computed" | "override" | null;
            /**
             * @description The model.
             * @example gpt-4o-mini
             */
            model: string | null;
            /**
             * @description Who served the model.
             * @example openai
             */
            provider: string | null;
            /**
             * @description The role of the agent that did the step.
             * @example null
             */
            agent_role: string | null;
            /**
             * @description The tier of the model.
             * @example null
             */
            tier: string | null;
            /**
             * Format: int64
             * @description How often the step was tried again.
             * @example 0
             */
            retry_count: number;
            /**
             * @description Whatever else belongs to the step. `agentflow.flags` in it is ours: `ended_before_start`, `open_at_end`, `late`.
             * @example {
             *       "region": "eu"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the step started.
             * @example 2026-03-02T09:30:00.120000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the step ended.
             * @example 2026-03-02T09:30:02.443000Z
             */
            ended_at: string | null;
            /**
             * @description The id of the step elsewhere.
             * @example null
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description When the step was reported.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the step was last updated.
             * @example 2026-03-02T09:30:02.443000Z
             */
            updated_at: string;
        };
        StepPage: {
            /** @description By index. */
            data: components["schemas"]["StepResponse"][];
            /**
             * @description The cursor of the next page; `null` on the last one.
             * @example null
             */
            next_cursor: string | null;
        };
        MessageResponse: {
            /**
             * Format: uuid
             * @description The message.
             * @example 01a22b4f-6e03-7972-88e3-38a4d2b06fcb
             */
            id: string;
            /**
             * Format: uuid
             * @description The run that it belongs to.
             * @example 01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32
             */
            run_id: string;
            /**
             * Format: uuid
             * @description The step that it belongs to.
             * @example 01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43
             */
            step_id: string | null;
            /**
             * @description Its place in the run: from 0, without gaps.
             * @example 0
             */
            index: number;
            /**
             * @description Who speaks.
             * @example assistant
             * @enum {string}
             */
            role: "system" | "developer" | "user" | "assistant" | "tool";
            /**
             * @description The name of who speaks.
             * @example null
             */
            name: string | null;
            /**
             * @description What is said.
             * @example Lisbon, for 119 EUR.
             */
            content: string | null;
            /**
             * @description The tool call that the message answers.
             * @example null
             */
            tool_call_id: string | null;
            /**
             * @description Whatever else belongs to the message, as it was sent.
             * @example null
             */
            extra: unknown;
            /**
             * Format: date-time
             * @description When it was sent, by the reporter’s clock.
             * @example null
             */
            at: string | null;
            /**
             * Format: date-time
             * @description When the message was reported.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
        };
        MessagePage: {
            /** @description By index. */
            data: components["schemas"]["MessageResponse"][];
            /**
             * @description The cursor of the next page; `null` on the last one.
             * @example null
             */
            next_cursor: string | null;
        };
        ToolCallResponse: {
            /**
             * Format: uuid
             * @description The call: the `call_id` that pairs its beginning with its end.
             * @example 01a22b4f-5cf2-7a61-b8d2-27f3c1a95e54
             */
            id: string;
            /**
             * Format: uuid
             * @description The agent that makes the call.
             * @example 01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21
             */
            agent_id: string;
            /**
             * Format: uuid
             * @description The run that it belongs to; `null` outside runs.
             * @example 01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32
             */
            run_id: string | null;
            /**
             * Format: uuid
             * @description The step that makes the call.
             * @example 01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43
             */
            step_id: string | null;
            /**
             * @description The tool.
             * @example flights
             */
            name: string;
            /**
             * @description Where the call stands.
             * @example succeeded
             * @enum {string}
             */
            status: "running" | "succeeded" | "failed" | "cancelled";
            /**
             * @description What the tool was called with, as it was sent.
             * @example {
             *       "to": "LIS"
             *     }
             */
            arguments: unknown;
            /**
             * @description What the tool answered, as it was sent.
             * @example {
             *       "flight": "TP 535",
             *       "eur": 119
             *     }
             */
            result: unknown;
            /**
             * @description What went wrong.
             * @example null
             */
            error: string | null;
            /**
             * @description The kind of error; `run_ended` when the run failed around it.
             * @example null
             */
            error_type: string | null;
            /**
             * Format: int64
             * @description Milliseconds.
             * @example 2323
             */
            latency_ms: number | null;
            /**
             * @description The model provider's id. It is no key: providers repeat it.
             * @example call_1
             */
            provider_call_id: string | null;
            /**
             * @description Whatever else belongs to the call. `agentflow.flags` in it is ours: `ended_before_start`, `open_at_end`, `late`.
             * @example {
             *       "region": "eu"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the call started.
             * @example 2026-03-02T09:30:00.120000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the call ended.
             * @example 2026-03-02T09:30:02.443000Z
             */
            ended_at: string | null;
            /**
             * Format: date-time
             * @description When the call was reported.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the call was last updated.
             * @example 2026-03-02T09:30:02.443000Z
             */
            updated_at: string;
        };
        ToolCallPage: {
            /** @description In the order in which they came, or the other way round. */
            data: components["schemas"]["ToolCallResponse"][];
            /**
             * @description The cursor of the next page; `null` on the last one.
             * @example null
             */
            next_cursor: string | null;
        };
        CheckpointSummary: {
            /**
             * Format: uuid
             * @description The checkpoint.
             * @example 01a22b4f-7f14-7b83-9af4-49b5e3c17a98
             */
            id: string;
            /**
             * @description Its place in the run: from 0, without gaps.
             * @example 0
             */
            index: number;
            /**
             * @description What the checkpoint is called.
             * @example before booking
             */
            label: string | null;
            /**
             * Format: uuid
             * @description The step that the checkpoint follows.
             * @example 01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43
             */
            step_id: string | null;
            /**
             * @description The size of the state in bytes.
             * @example 14
             */
            state_bytes: number;
            /**
             * Format: date-time
             * @description When it was taken, by the reporter’s clock.
             * @example null
             */
            at: string | null;
            /**
             * Format: date-time
             * @description When the checkpoint was reported.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
        };
        CheckpointPage: {
            /** @description By index, without their states. */
            data: components["schemas"]["CheckpointSummary"][];
            /**
             * @description The cursor of the next page; `null` on the last one.
             * @example null
             */
            next_cursor: string | null;
        };
        RunWithChildrenResponse: {
            /**
             * Format: uuid
             * @description The run.
             * @example 01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32
             */
            id: string;
            /**
             * Format: uuid
             * @description The project that it was created under; it is judged by it for ever.
             * @example 01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10
             */
            project_id: string;
            /**
             * Format: uuid
             * @description The agent that runs.
             * @example 01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21
             */
            agent_id: string;
            /**
             * @description The agent's version when the run was created.
             * @example 2
             */
            agent_version: number;
            /**
             * @description What runs the agent.
             * @example langgraph
             */
            adapter: string;
            /**
             * @description Where the run stands.
             * @example succeeded
             * @enum {string}
             */
            status: "pending" | "running" | "waiting_human" | "succeeded" | "failed" | "cancelled";
            /**
             * @description Whether the run has ended: nothing leaves this status.
             * @example true
             */
            is_terminal: boolean;
            /**
             * @description The statuses that one move can reach.
             * @example []
             */
            allowed_transitions: ("pending" | "running" | "waiting_human" | "succeeded" | "failed" | "cancelled")[];
            /**
             * @description A name for people.
             * @example trip to Lisbon
             */
            name: string | null;
            /**
             * @description Labels to find the run by.
             * @example [
             *       "trial"
             *     ]
             */
            tags: string[];
            /**
             * @description The kind of error, of a run that failed.
             * @example null
             */
            error_type: string | null;
            /**
             * @description The conversation or session that the run belongs to.
             * @example thread-1
             */
            session_id: string | null;
            /**
             * @description The id of the run elsewhere.
             * @example null
             */
            external_id: string | null;
            /**
             * Format: uuid
             * @description The run that this one comes from.
             * @example null
             */
            parent_run_id: string | null;
            /**
             * @description Why the run has a parent.
             * @example null
             * @enum {string|null}
             */
            origin: "retry" | "fork" | "subagent" | null;
            /**
             * Format: uuid
             * @description The checkpoint of the parent that a fork began with.
             * @example null
             */
            from_checkpoint_id: string | null;
            /**
             * Format: date-time
             * @description When the run started.
             * @example 2026-03-02T09:30:00.120000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the run ended.
             * @example 2026-03-02T09:30:02.443000Z
             */
            ended_at: string | null;
            /**
             * Format: date-time
             * @description Since when the run waits for people, while it does.
             * @example null
             */
            waiting_since: string | null;
            /**
             * Format: int64
             * @description Milliseconds that the run has waited for people, without the wait under way.
             * @example 0
             */
            waited_ms: number;
            /**
             * @description How good the outcome is, from 0 to 1.
             * @example 0.9
             */
            quality_score: number | null;
            /** @description Sums over all that belongs to the run. */
            totals: components["schemas"]["RunTotalsResponse"];
            /**
             * Format: date-time
             * @description When the run was created.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the run or its totals last changed.
             * @example 2026-03-02T09:30:02.443000Z
             */
            updated_at: string;
            /**
             * @description What the agent was asked, as it was sent.
             * @example Where to in October?
             */
            input: unknown;
            /**
             * @description What the agent came to, as it was sent.
             * @example Lisbon
             */
            output: unknown;
            /**
             * @description What went wrong, or why the run was called off.
             * @example null
             */
            error: string | null;
            /**
             * @description Whatever else belongs to the run.
             * @example {
             *       "region": "eu"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description What the run waits for: `question`, `payload` and `kind` as given.
             * @example null
             */
            waiting_for: unknown;
            /**
             * @description The answer that the run was last resumed with.
             * @example null
             */
            resume_input: unknown;
            /**
             * Format: date-time
             * @description When the lease of the holder ends, unless a heartbeat prolongs it.
             * @example null
             */
            lease_expires_at: string | null;
            /** @description The first steps, when they were asked for. */
            steps?: components["schemas"]["StepPage"];
            /** @description The first messages, when they were asked for. */
            messages?: components["schemas"]["MessagePage"];
            /** @description The first tool calls, when they were asked for. */
            tool_calls?: components["schemas"]["ToolCallPage"];
            /** @description The first checkpoints, when they were asked for. */
            checkpoints?: components["schemas"]["CheckpointPage"];
        };
        /**
         * @example {
         *       "lease_seconds": 60
         *     }
         */
        StartRunDto: {
            /** @description Seconds that a holder may be silent. */
            lease_seconds?: number;
        };
        /**
         * @example {
         *       "kind": "gate",
         *       "payload": {
         *         "flight": "TP 535",
         *         "eur": 119
         *       },
         *       "assignee": "travel desk"
         *     }
         */
        OpenApprovalDto: {
            /**
             * @description What is asked: leave for a tool call, an answer, or that the run goes on at all.
             * @enum {string}
             */
            kind: "tool" | "question" | "gate";
            /** @description What the person has to see, as it was sent. */
            payload?: unknown;
            /**
             * Format: uuid
             * @description The tool call of this run that it is about.
             */
            tool_call_id?: string;
            /**
             * Format: uuid
             * @description The step that it is about. Default: the step of the tool call.
             */
            step_id?: string;
            /** @description What can be decided. Default: for `tool` approve, edit and reject, for `question` respond and reject, for `gate` approve and reject. */
            allowed?: ("approve" | "edit" | "reject" | "respond")[];
            /** @description A JSON Schema (draft 2020-12) for the arguments of an edit or the answer. */
            schema?: {
                [key: string]: unknown;
            };
            /** @description Who should decide, by whatever name. */
            assignee?: string;
            /**
             * Format: date-time
             * @description Until when it has to be decided.
             */
            due_at?: string;
            /**
             * @description What happens when nobody has decided until `due_at`: the run is cancelled (the default), or the approval counts as rejected.
             * @enum {string}
             */
            on_due?: "cancel" | "reject";
        };
        /**
         * @example {
         *       "question": "119 EUR. Book it?",
         *       "approvals": [
         *         {
         *           "kind": "gate",
         *           "payload": {
         *             "flight": "TP 535",
         *             "eur": 119
         *           },
         *           "assignee": "travel desk"
         *         }
         *       ]
         *     }
         */
        WaitRunDto: {
            /** @description What a person is asked. */
            question?: string;
            /** @description What the question is about, as it was sent. */
            payload?: unknown;
            /** @description The kind of question, such as `tool` or `question`. */
            kind?: string;
            /** @description What people have to decide, each by itself. Without any, the question is the one thing. */
            approvals?: components["schemas"]["OpenApprovalDto"][];
        };
        RunResponse: {
            /**
             * Format: uuid
             * @description The run.
             * @example 01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32
             */
            id: string;
            /**
             * Format: uuid
             * @description The project that it was created under; it is judged by it for ever.
             * @example 01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10
             */
            project_id: string;
            /**
             * Format: uuid
             * @description The agent that runs.
             * @example 01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21
             */
            agent_id: string;
            /**
             * @description The agent's version when the run was created.
             * @example 2
             */
            agent_version: number;
            /**
             * @description What runs the agent.
             * @example langgraph
             */
            adapter: string;
            /**
             * @description Where the run stands.
             * @example succeeded
             * @enum {string}
             */
            status: "pending" | "running" | "waiting_human" | "succeeded" | "failed" | "cancelled";
            /**
             * @description Whether the run has ended: nothing leaves this status.
             * @example true
             */
            is_terminal: boolean;
            /**
             * @description The statuses that one move can reach.
             * @example []
             */
            allowed_transitions: ("pending" | "running" | "waiting_human" | "succeeded" | "failed" | "cancelled")[];
            /**
             * @description A name for people.
             * @example trip to Lisbon
             */
            name: string | null;
            /**
             * @description Labels to find the run by.
             * @example [
             *       "trial"
             *     ]
             */
            tags: string[];
            /**
             * @description The kind of error, of a run that failed.
             * @example null
             */
            error_type: string | null;
            /**
             * @description The conversation or session that the run belongs to.
             * @example thread-1
             */
            session_id: string | null;
            /**
             * @description The id of the run elsewhere.
             * @example null
             */
            external_id: string | null;
            /**
             * Format: uuid
             * @description The run that this one comes from.
             * @example null
             */
            parent_run_id: string | null;
            /**
             * @description Why the run has a parent.
             * @example null
             * @enum {string|null}
             */
            origin: "retry" | "fork" | "subagent" | null;
            /**
             * Format: uuid
             * @description The checkpoint of the parent that a fork began with.
             * @example null
             */
            from_checkpoint_id: string | null;
            /**
             * Format: date-time
             * @description When the run started.
             * @example 2026-03-02T09:30:00.120000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the run ended.
             * @example 2026-03-02T09:30:02.443000Z
             */
            ended_at: string | null;
            /**
             * Format: date-time
             * @description Since when the run waits for people, while it does.
             * @example null
             */
            waiting_since: string | null;
            /**
             * Format: int64
             * @description Milliseconds that the run has waited for people, without the wait under way.
             * @example 0
             */
            waited_ms: number;
            /**
             * @description How good the outcome is, from 0 to 1.
             * @example 0.9
             */
            quality_score: number | null;
            /** @description Sums over all that belongs to the run. */
            totals: components["schemas"]["RunTotalsResponse"];
            /**
             * Format: date-time
             * @description When the run was created.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the run or its totals last changed.
             * @example 2026-03-02T09:30:02.443000Z
             */
            updated_at: string;
            /**
             * @description What the agent was asked, as it was sent.
             * @example Where to in October?
             */
            input: unknown;
            /**
             * @description What the agent came to, as it was sent.
             * @example Lisbon
             */
            output: unknown;
            /**
             * @description What went wrong, or why the run was called off.
             * @example null
             */
            error: string | null;
            /**
             * @description Whatever else belongs to the run.
             * @example {
             *       "region": "eu"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description What the run waits for: `question`, `payload` and `kind` as given.
             * @example null
             */
            waiting_for: unknown;
            /**
             * @description The answer that the run was last resumed with.
             * @example null
             */
            resume_input: unknown;
            /**
             * Format: date-time
             * @description When the lease of the holder ends, unless a heartbeat prolongs it.
             * @example null
             */
            lease_expires_at: string | null;
        };
        /**
         * @example {
         *       "input": {
         *         "yes": true
         *       }
         *     }
         */
        ResumeRunDto: {
            /** @description The answer, for whoever waits for it. */
            input?: unknown;
        };
        /**
         * @example {
         *       "output": "Lisbon"
         *     }
         */
        SucceedRunDto: {
            /** @description What the agent came to, as it was sent. */
            output?: unknown;
        };
        /**
         * @example {
         *       "error": "the airline did not answer",
         *       "error_type": "TimeoutError"
         *     }
         */
        FailRunDto: {
            /** @description What went wrong. */
            error?: string;
            /** @description The kind of error, such as an exception class. */
            error_type?: string;
        };
        /**
         * @example {
         *       "reason": "changed my mind"
         *     }
         */
        CancelRunDto: {
            /** @description Why the run is called off. */
            reason?: string;
        };
        /**
         * @example {
         *       "lease_token": "5b8e2c0d-3f6a-4d17-9c2b-8e1f7a604bba"
         *     }
         */
        HeartbeatDto: {
            /**
             * Format: uuid
             * @description The token that came with the lease.
             */
            lease_token: string;
        };
        HeartbeatResponse: {
            /**
             * @description Where the run stands.
             * @example running
             * @enum {string}
             */
            status: "pending" | "running" | "waiting_human" | "succeeded" | "failed" | "cancelled";
            /**
             * @description Whether the run was called off: the holder should stop.
             * @example false
             */
            cancel_requested: boolean;
            /**
             * Format: date-time
             * @description When the lease ends now; `null` when the run has ended.
             * @example 2026-03-02T09:31:00.120000Z
             */
            lease_expires_at: string | null;
        };
        /**
         * @example {
         *       "agent": "planner",
         *       "lease_seconds": 60
         *     }
         */
        ClaimRunDto: {
            /**
             * Format: uuid
             * @description The agent to work as. Either this or `agent` has to be given.
             */
            agent_id?: string;
            /** @description The agent by its name. */
            agent?: string;
            /** @description Seconds that the holder may be silent. */
            lease_seconds: number;
        };
        CheckpointResponse: {
            /**
             * Format: uuid
             * @description The checkpoint.
             * @example 01a22b4f-7f14-7b83-9af4-49b5e3c17a98
             */
            id: string;
            /**
             * @description Its place in the run: from 0, without gaps.
             * @example 0
             */
            index: number;
            /**
             * @description What the checkpoint is called.
             * @example before booking
             */
            label: string | null;
            /**
             * Format: uuid
             * @description The step that the checkpoint follows.
             * @example 01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43
             */
            step_id: string | null;
            /**
             * @description The size of the state in bytes.
             * @example 14
             */
            state_bytes: number;
            /**
             * Format: date-time
             * @description When it was taken, by the reporter’s clock.
             * @example null
             */
            at: string | null;
            /**
             * Format: date-time
             * @description When the checkpoint was reported.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * @description The state, as it was sent.
             * @example {
             *       "seat": "12A"
             *     }
             */
            state: unknown;
        };
        RecordedCallResponse: {
            /**
             * Format: uuid
             * @description The tool call of the source.
             * @example 01a22b4f-5cf2-7a61-b8d2-27f3c1a95e54
             */
            call_id: string;
            /**
             * @description The name of the tool.
             * @example flights
             */
            name: string;
            /**
             * @description What the tool was called with, as it was sent.
             * @example {
             *       "to": "LIS"
             *     }
             */
            arguments: unknown;
            /**
             * @description What the tool answered, as it was sent.
             * @example {
             *       "flight": "TP 535",
             *       "eur": 119
             *     }
             */
            result: unknown;
        };
        RecordedCallsResponse: {
            /** @description Calls that succeeded, made up to the checkpoint, in the order in which they came. */
            data: components["schemas"]["RecordedCallResponse"][];
            /**
             * @description Whether these are all; what is missing is in the list of tool calls of the source.
             * @example true
             */
            is_complete: boolean;
        };
        ClaimedRunResponse: {
            /**
             * Format: uuid
             * @description The run.
             * @example 01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32
             */
            id: string;
            /**
             * Format: uuid
             * @description The project that it was created under; it is judged by it for ever.
             * @example 01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10
             */
            project_id: string;
            /**
             * Format: uuid
             * @description The agent that runs.
             * @example 01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21
             */
            agent_id: string;
            /**
             * @description The agent's version when the run was created.
             * @example 2
             */
            agent_version: number;
            /**
             * @description What runs the agent.
             * @example langgraph
             */
            adapter: string;
            /**
             * @description Where the run stands.
             * @example running
             * @enum {string}
             */
            status: "pending" | "running" | "waiting_human" | "succeeded" | "failed" | "cancelled";
            /**
             * @description Whether the run has ended: nothing leaves this status.
             * @example false
             */
            is_terminal: boolean;
            /**
             * @description The statuses that one move can reach.
             * @example [
             *       "waiting_human",
             *       "succeeded",
             *       "failed",
             *       "cancelled"
             *     ]
             */
            allowed_transitions: ("pending" | "running" | "waiting_human" | "succeeded" | "failed" | "cancelled")[];
            /**
             * @description A name for people.
             * @example trip to Lisbon
             */
            name: string | null;
            /**
             * @description Labels to find the run by.
             * @example [
             *       "trial"
             *     ]
             */
            tags: string[];
            /**
             * @description The kind of error, of a run that failed.
             * @example null
             */
            error_type: string | null;
            /**
             * @description The conversation or session that the run belongs to.
             * @example thread-1
             */
            session_id: string | null;
            /**
             * @description The id of the run elsewhere.
             * @example null
             */
            external_id: string | null;
            /**
             * Format: uuid
             * @description The run that this one comes from.
             * @example null
             */
            parent_run_id: string | null;
            /**
             * @description Why the run has a parent.
             * @example null
             * @enum {string|null}
             */
            origin: "retry" | "fork" | "subagent" | null;
            /**
             * Format: uuid
             * @description The checkpoint of the parent that a fork began with.
             * @example null
             */
            from_checkpoint_id: string | null;
            /**
             * Format: date-time
             * @description When the run started.
             * @example 2026-03-02T09:30:00.120000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the run ended.
             * @example null
             */
            ended_at: string | null;
            /**
             * Format: date-time
             * @description Since when the run waits for people, while it does.
             * @example null
             */
            waiting_since: string | null;
            /**
             * Format: int64
             * @description Milliseconds that the run has waited for people, without the wait under way.
             * @example 0
             */
            waited_ms: number;
            /**
             * @description How good the outcome is, from 0 to 1.
             * @example 0.9
             */
            quality_score: number | null;
            /** @description Sums over all that belongs to the run. */
            totals: components["schemas"]["RunTotalsResponse"];
            /**
             * Format: date-time
             * @description When the run was created.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the run or its totals last changed.
             * @example 2026-03-02T09:30:02.443000Z
             */
            updated_at: string;
            /**
             * @description What the agent was asked, as it was sent.
             * @example Where to in October?
             */
            input: unknown;
            /**
             * @description What the agent came to, as it was sent.
             * @example null
             */
            output: unknown;
            /**
             * @description What went wrong, or why the run was called off.
             * @example null
             */
            error: string | null;
            /**
             * @description Whatever else belongs to the run.
             * @example {
             *       "region": "eu"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description What the run waits for: `question`, `payload` and `kind` as given.
             * @example null
             */
            waiting_for: unknown;
            /**
             * @description The answer that the run was last resumed with.
             * @example null
             */
            resume_input: unknown;
            /**
             * Format: date-time
             * @description When the lease of the holder ends, unless a heartbeat prolongs it.
             * @example 2026-03-02T09:31:00.120000Z
             */
            lease_expires_at: string | null;
            /**
             * Format: uuid
             * @description Proves in heartbeats who holds the lease; absent without a lease.
             * @example 5b8e2c0d-3f6a-4d17-9c2b-8e1f7a604bba
             */
            lease_token: string | null;
            /** @description The checkpoint of the source to begin from, with its state; `null` when the run is no fork. */
            checkpoint: components["schemas"]["CheckpointResponse"] | null;
            /** @description Tool results of the source to use again; `null` when the run was made without `reuse`. */
            recorded_tool_calls: components["schemas"]["RecordedCallsResponse"] | null;
        };
        /**
         * @example {
         *       "input": "Where to in November?",
         *       "reuse": "recorded_tool_results",
         *       "reason": "too hot in October"
         *     }
         */
        CopyRunDto: {
            /** @description What the agent is asked this time. Default: the input of the source. */
            input?: unknown;
            /** @description The version of the agent to run. Default: that of the source. */
            agent_version?: number;
            /**
             * @description What whoever picks the run up is given of the source. Default `none`.
             * @enum {string}
             */
            reuse?: "none" | "recorded_tool_results";
            /** @description Why; it is kept in the event `run.created`. */
            reason?: string;
        };
        LineageResponse: {
            /** @description The runs that this one comes from, the nearest first. */
            ancestors: components["schemas"]["RunSummary"][];
            /** @description The runs that came from this one, level by level. */
            descendants: components["schemas"]["RunSummary"][];
            /**
             * @description Whether there are more than the 200 that each list shows at most.
             * @example false
             */
            has_more: boolean;
        };
        /**
         * @example {
         *       "type": "token.delta",
         *       "text": "Lis"
         *     }
         */
        LiveItemDto: {
            /**
             * @description A piece of what a model is saying, or a line of a log.
             * @enum {string}
             */
            type: "token.delta" | "log";
            /** @description The piece, or the line. */
            text: string;
            /**
             * Format: uuid
             * @description The step that it comes from. It is passed on, and not looked up.
             */
            step_id?: string;
            /**
             * Format: uuid
             * @description The message that it will be part of. It is passed on, and not looked up.
             */
            message_id?: string;
            /**
             * @description How much a line of a log matters.
             * @enum {string}
             */
            level?: "debug" | "info" | "warn" | "error";
            /** @description Whatever else belongs to it, as it was sent. */
            data?: unknown;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "type": "token.delta",
         *           "text": "Lis"
         *         },
         *         {
         *           "type": "log",
         *           "level": "info",
         *           "text": "asked the airline",
         *           "step_id": "01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43"
         *         }
         *       ]
         *     }
         */
        PostLiveDto: {
            /** @description In their order. */
            items: components["schemas"]["LiveItemDto"][];
        };
        WordChange: {
            /**
             * @description In the run compared from.
             * @example the airline did not answer
             */
            from: string | null;
            /**
             * @description In the run compared to.
             * @example null
             */
            to: string | null;
        };
        CountChange: {
            /**
             * Format: int64
             * @description In the run compared from.
             * @example 412
             */
            from: number | null;
            /**
             * Format: int64
             * @description In the run compared to.
             * @example 380
             */
            to: number | null;
        };
        StatusChange: {
            /**
             * @description In the run compared from.
             * @example failed
             * @enum {string}
             */
            from: "pending" | "running" | "waiting_human" | "succeeded" | "failed" | "cancelled" | "retrying" | "skipped";
            /**
             * @description In the run compared to.
             * @example succeeded
             * @enum {string}
             */
            to: "pending" | "running" | "waiting_human" | "succeeded" | "failed" | "cancelled" | "retrying" | "skipped";
        };
        OmittedDifferenceResponse: {
            /**
             * @description Where, as a JSON Pointer.
             * @example /offers
             */
            pointer: string;
            /**
             * Format: int64
             * @description How many characters it has in the run compared from.
             * @example 20480
             */
            from_size: number | null;
            /**
             * Format: int64
             * @description How many characters it has in the run compared to.
             * @example null
             */
            to_size: number | null;
        };
        PayloadDifferenceResponse: {
            /**
             * @description What only the second has: a map from JSON Pointer (RFC 6901) to value.
             * @example {}
             */
            added: {
                [key: string]: unknown;
            };
            /**
             * @description What only the first has: a map from JSON Pointer to value.
             * @example {}
             */
            removed: {
                [key: string]: unknown;
            };
            /**
             * @description What differs: a map from JSON Pointer to the two values.
             * @example {
             *       "/to": {
             *         "from": "LIS",
             *         "to": "OPO"
             *       }
             *     }
             */
            changed: {
                [key: string]: components["schemas"]["ValueChange"];
            };
            /** @description What differs and is too large to be told. */
            omitted: components["schemas"]["OmittedDifferenceResponse"][];
            /**
             * Format: int64
             * @description How many differences more there are; fifty are told.
             * @example 0
             */
            untold: number;
        };
        CostChange: {
            /**
             * Format: decimal
             * @description In the run compared from.
             * @example 0.0000966
             */
            from: string | null;
            /**
             * Format: decimal
             * @description In the run compared to.
             * @example 0.0000912
             */
            to: string | null;
        };
        RunChangesResponse: {
            /** @description Whose runs they are, when it differs. */
            agent_id: components["schemas"]["WordChange"] | null;
            /** @description The versions of the agent, when they differ. */
            agent_version: components["schemas"]["CountChange"] | null;
            /** @description Where they stand, when it differs. */
            status: components["schemas"]["StatusChange"] | null;
            /** @description What went wrong, when it differs. */
            error: components["schemas"]["WordChange"] | null;
            /** @description What differs between the inputs. */
            input: components["schemas"]["PayloadDifferenceResponse"] | null;
            /** @description What differs between the outputs. */
            output: components["schemas"]["PayloadDifferenceResponse"] | null;
            /** @description Milliseconds from start to end, when they differ. */
            duration_ms: components["schemas"]["CountChange"] | null;
            /** @description The numbers of steps, when they differ. */
            steps: components["schemas"]["CountChange"] | null;
            /** @description The numbers of failed steps, when they differ. */
            failed_steps: components["schemas"]["CountChange"] | null;
            /** @description The numbers of tool calls, when they differ. */
            tool_calls: components["schemas"]["CountChange"] | null;
            /** @description Tokens that models read, when they differ. */
            tokens_in: components["schemas"]["WordChange"] | null;
            /** @description Tokens that models wrote, when they differ. */
            tokens_out: components["schemas"]["WordChange"] | null;
            /** @description US dollars, when they differ. */
            cost_usd: components["schemas"]["CostChange"] | null;
        };
        AlignmentResponse: {
            /**
             * Format: int64
             * @description Steps that both runs have.
             * @example 3
             */
            paired: number;
            /**
             * Format: int64
             * @description Steps that only the first run has.
             * @example 0
             */
            only_in_a: number;
            /**
             * Format: int64
             * @description Steps that only the second run has.
             * @example 1
             */
            only_in_b: number;
            /**
             * @description Whether no other alignment would pair more; the search is bounded.
             * @example true
             */
            is_longest: boolean;
            /**
             * Format: int64
             * @description Steps that are not compared: those behind the first 30,000 of a run.
             * @example 0
             */
            left_out: number;
        };
        StepPlace: {
            /**
             * Format: uuid
             * @description The step.
             * @example 01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43
             */
            id: string;
            /**
             * @description Its place in its run.
             * @example 1
             */
            index: number;
        };
        CallDifferenceResponse: {
            /**
             * @description What was called.
             * @example flights
             */
            name: string;
            /**
             * Format: uuid
             * @description The call of the first run; `null` when only the second has it.
             * @example 01a22b4f-5cf2-7a61-b8d2-27f3c1a95e54
             */
            a: string | null;
            /**
             * Format: uuid
             * @description The call of the second run; `null` when only the first has it.
             * @example null
             */
            b: string | null;
            /** @description Where they stand, when it differs. */
            status: components["schemas"]["StatusChange"] | null;
            /** @description What went wrong, when it differs. */
            error: components["schemas"]["WordChange"] | null;
            /** @description What differs between the arguments. */
            arguments: components["schemas"]["PayloadDifferenceResponse"] | null;
            /** @description What differs between the results. */
            result: components["schemas"]["PayloadDifferenceResponse"] | null;
            /** @description Milliseconds, when they differ. */
            latency_ms: components["schemas"]["CountChange"] | null;
        };
        StepChangesResponse: {
            /** @description Where they stand, when it differs. */
            status: components["schemas"]["StatusChange"] | null;
            /** @description What went wrong, when it differs. */
            error: components["schemas"]["WordChange"] | null;
            /** @description What differs between the inputs. */
            input: components["schemas"]["PayloadDifferenceResponse"] | null;
            /** @description What differs between the outputs. */
            output: components["schemas"]["PayloadDifferenceResponse"] | null;
            /** @description Milliseconds, when they differ. */
            latency_ms: components["schemas"]["CountChange"] | null;
            /** @description Tokens that a model read, when they differ. */
            tokens_in: components["schemas"]["CountChange"] | null;
            /** @description Tokens that a model wrote, when they differ. */
            tokens_out: components["schemas"]["CountChange"] | null;
            /** @description US dollars, when they differ. */
            cost_usd: components["schemas"]["CostChange"] | null;
            /** @description The models, when they differ. */
            model: components["schemas"]["WordChange"] | null;
            /** @description The tool calls that differ, or that only one step has. */
            tool_calls: components["schemas"]["CallDifferenceResponse"][];
        };
        AlignedStepResponse: {
            /**
             * Format: int64
             * @description Its place among all of them, from 0.
             * @example 1
             */
            position: number;
            /**
             * @description The node.
             * @example search
             */
            node: string;
            /**
             * @description The kind of step.
             * @example llm
             */
            kind: string | null;
            /** @description The step of the first run, when it has one. */
            a: components["schemas"]["StepPlace"] | null;
            /** @description The step of the second run, when it has one. */
            b: components["schemas"]["StepPlace"] | null;
            /** @description What differs; `null` when nothing does, and for a step of one run only. */
            changes: components["schemas"]["StepChangesResponse"] | null;
        };
        RunComparisonResponse: {
            /**
             * Format: uuid
             * @description The first run, which is compared from.
             * @example 01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32
             */
            a: string;
            /**
             * Format: uuid
             * @description The second run, which is compared to.
             * @example 01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c33
             */
            b: string;
            /** @description What differs between the runs as such. */
            run: components["schemas"]["RunChangesResponse"];
            /** @description How their steps were aligned. */
            steps: components["schemas"]["AlignmentResponse"];
            /** @description The steps of both, each once, in order. */
            data: components["schemas"]["AlignedStepResponse"][];
            /**
             * @description The cursor of the next page; `null` on the last one.
             * @example null
             */
            next_cursor: string | null;
        };
        ApprovalSummary: {
            /**
             * Format: uuid
             * @description The approval.
             * @example 01a22b4f-91a6-7d05-8c16-6bd7051fb9ba
             */
            id: string;
            /**
             * Format: uuid
             * @description The run that waits for it.
             * @example 01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32
             */
            run_id: string;
            /**
             * Format: uuid
             * @description The project of the run.
             * @example 01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10
             */
            project_id: string;
            /**
             * Format: uuid
             * @description The agent that asks.
             * @example 01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21
             */
            agent_id: string;
            /**
             * Format: uuid
             * @description The step that it is about.
             * @example 01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43
             */
            step_id: string | null;
            /**
             * Format: uuid
             * @description The tool call that it is about.
             * @example 01a22b4f-5cf2-7a61-b8d2-27f3c1a95e54
             */
            tool_call_id: string | null;
            /**
             * @description What is asked.
             * @example tool
             * @enum {string}
             */
            kind: "tool" | "question" | "gate";
            /**
             * @description Where it stands.
             * @example approved
             * @enum {string}
             */
            status: "pending" | "approved" | "edited" | "rejected" | "responded" | "expired" | "cancelled";
            /**
             * @description What can be decided.
             * @example [
             *       "approve",
             *       "edit",
             *       "reject"
             *     ]
             */
            allowed: ("approve" | "edit" | "reject" | "respond")[];
            /**
             * @description SHA-256 of what is decided about: of the arguments of the tool call, else of the payload; `null` without either.
             * @example 0f6b7bd4a5a52b9d2b3c1c3a7b6a3c1ff0f9a3b6ad2d7a5be2f1c4d8e9a7b650
             */
            arguments_hash: string | null;
            /**
             * @description Who should decide.
             * @example travel desk
             */
            assignee: string | null;
            /**
             * Format: date-time
             * @description Until when it has to be decided.
             * @example 2026-03-02T10:30:00.000000Z
             */
            due_at: string | null;
            /**
             * @description What happens when it is not.
             * @example reject
             * @enum {string|null}
             */
            on_due: "cancel" | "reject" | null;
            /**
             * @description Why it was decided so.
             * @example It is cheap.
             */
            reason: string | null;
            /**
             * Format: uuid
             * @description The key that decided; `null` when nobody did.
             * @example 01a22b4d-9a3d-7f18-8c60-3b7e5d2f4a65
             */
            decided_by: string | null;
            /**
             * Format: date-time
             * @description When it was decided, or was over without that.
             * @example 2026-03-02T09:30:02.443000Z
             */
            decided_at: string | null;
            /**
             * Format: date-time
             * @description When it was asked.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-02T09:30:02.443000Z
             */
            updated_at: string;
        };
        ApprovalPage: {
            /** @description Newest first, without payload, schema and answer. */
            data: components["schemas"]["ApprovalSummary"][];
            /**
             * @description The cursor of the next page; `null` on the last one.
             * @example null
             */
            next_cursor: string | null;
        };
        ApprovalResponse: {
            /**
             * Format: uuid
             * @description The approval.
             * @example 01a22b4f-91a6-7d05-8c16-6bd7051fb9ba
             */
            id: string;
            /**
             * Format: uuid
             * @description The run that waits for it.
             * @example 01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32
             */
            run_id: string;
            /**
             * Format: uuid
             * @description The project of the run.
             * @example 01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10
             */
            project_id: string;
            /**
             * Format: uuid
             * @description The agent that asks.
             * @example 01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21
             */
            agent_id: string;
            /**
             * Format: uuid
             * @description The step that it is about.
             * @example 01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43
             */
            step_id: string | null;
            /**
             * Format: uuid
             * @description The tool call that it is about.
             * @example 01a22b4f-5cf2-7a61-b8d2-27f3c1a95e54
             */
            tool_call_id: string | null;
            /**
             * @description What is asked.
             * @example tool
             * @enum {string}
             */
            kind: "tool" | "question" | "gate";
            /**
             * @description Where it stands.
             * @example approved
             * @enum {string}
             */
            status: "pending" | "approved" | "edited" | "rejected" | "responded" | "expired" | "cancelled";
            /**
             * @description What can be decided.
             * @example [
             *       "approve",
             *       "edit",
             *       "reject"
             *     ]
             */
            allowed: ("approve" | "edit" | "reject" | "respond")[];
            /**
             * @description SHA-256 of what is decided about: of the arguments of the tool call, else of the payload; `null` without either.
             * @example 0f6b7bd4a5a52b9d2b3c1c3a7b6a3c1ff0f9a3b6ad2d7a5be2f1c4d8e9a7b650
             */
            arguments_hash: string | null;
            /**
             * @description Who should decide.
             * @example travel desk
             */
            assignee: string | null;
            /**
             * Format: date-time
             * @description Until when it has to be decided.
             * @example 2026-03-02T10:30:00.000000Z
             */
            due_at: string | null;
            /**
             * @description What happens when it is not.
             * @example reject
             * @enum {string|null}
             */
            on_due: "cancel" | "reject" | null;
            /**
             * @description Why it was decided so.
             * @example It is cheap.
             */
            reason: string | null;
            /**
             * Format: uuid
             * @description The key that decided; `null` when nobody did.
             * @example 01a22b4d-9a3d-7f18-8c60-3b7e5d2f4a65
             */
            decided_by: string | null;
            /**
             * Format: date-time
             * @description When it was decided, or was over without that.
             * @example 2026-03-02T09:30:02.443000Z
             */
            decided_at: string | null;
            /**
             * Format: date-time
             * @description When it was asked.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-03-02T09:30:02.443000Z
             */
            updated_at: string;
            /**
             * @description What the person has to see, as it was sent.
             * @example {
             *       "flight": "TP 535",
             *       "eur": 119
             *     }
             */
            payload: unknown;
            /**
             * @description The JSON Schema for the arguments of an edit or the answer.
             * @example {
             *       "type": "object",
             *       "required": [
             *         "to"
             *       ]
             *     }
             */
            schema: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The arguments of an edit, or the answer, as they were sent.
             * @example null
             */
            answer: unknown;
        };
        /**
         * @example {
         *       "decision": "approve",
         *       "reason": "It is cheap."
         *     }
         */
        DecideApprovalDto: {
            /**
             * @description What is decided.
             * @enum {string}
             */
            decision: "approve" | "edit" | "reject" | "respond";
            /** @description The `arguments_hash` of what was looked at: other arguments are refused. */
            arguments_hash?: string;
            /** @description With `edit` the arguments to take instead, with `respond` the answer; with no other. */
            answer?: unknown;
            /** @description Why, for the agent and for whoever reads it later. */
            reason?: string;
        };
        AuditActorResponse: {
            /**
             * @description `key`: the holder of an API key; `root`: the operator; `system`: the product by itself.
             * @example key
             * @enum {string}
             */
            kind: "key" | "root" | "system";
            /**
             * Format: uuid
             * @description The key.
             * @example 01a22b4d-9a3d-7f18-8c60-3b7e5d2f4a65
             */
            key_id: string | null;
            /**
             * @description The part of the key that is no secret.
             * @example 4esMxcX0g9jF
             */
            public_id: string | null;
            /**
             * @description The name of the key at that time.
             * @example travel desk
             */
            name: string | null;
            /**
             * @description What the key could do at that time.
             * @example admin
             * @enum {string|null}
             */
            role: "viewer" | "reporter" | "operator" | "admin" | null;
        };
        AuditEntryResponse: {
            /**
             * Format: uuid
             * @description The entry.
             * @example 01a22b4f-a2b7-7e14-9d27-7ce8162fcacb
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was done, by the database's clock.
             * @example 2026-03-02T09:30:02.443000Z
             */
            at: string;
            /** @description Who did it. */
            actor: components["schemas"]["AuditActorResponse"];
            /**
             * @description What was done.
             * @example agent.changed
             * @enum {string}
             */
            action: "organization.created" | "project.created" | "project.changed" | "project.deleted" | "agent.created" | "agent.changed" | "agent.restored" | "agent.deleted" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "model_price.created" | "model_price.deleted" | "approval.decided" | "approval.expired" | "bulk_action.created" | "bulk_action.cancelled" | "run.resumed" | "run.cancelled" | "run.retried" | "run.forked" | "run.failed" | "run.deleted";
            /**
             * @description To what kind of thing.
             * @example agent
             * @enum {string}
             */
            entity_type: "organization" | "project" | "agent" | "api_key" | "model_price" | "approval" | "bulk_action" | "run";
            /**
             * Format: uuid
             * @description To which; it may be deleted since.
             * @example 01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21
             */
            entity_id: string;
            /**
             * Format: uuid
             * @description The project in which it was at that time.
             * @example 01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10
             */
            project_id: string | null;
            /**
             * Format: uuid
             * @description The agent whose it was at that time.
             * @example 01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21
             */
            agent_id: string | null;
            /**
             * @description What was changed, as it was before. No secrets, no payloads.
             * @example {
             *       "version": 1
             *     }
             */
            before: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The same as it was afterwards.
             * @example {
             *       "version": 2
             *     }
             */
            after: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description The `X-Request-Id` of the answer to the request that asked for it.
             * @example 771a07d7-5a35-42ff-85ce-8e504112cf41
             */
            request_id: string | null;
        };
        AuditLogPage: {
            /** @description Newest first. */
            data: components["schemas"]["AuditEntryResponse"][];
            /**
             * @description The cursor of the next page; `null` on the last one.
             * @example null
             */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "agent_id": "01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21",
         *       "status": [
         *         "failed"
         *       ]
         *     }
         */
        RunFilterDto: {
            /**
             * Format: uuid
             * @description Only runs of this project.
             */
            project_id?: string;
            /**
             * Format: uuid
             * @description Only runs of this agent.
             */
            agent_id?: string;
            /** @description Only runs of this adapter. */
            adapter?: string;
            /** @description Only runs of this session. */
            session_id?: string;
            /**
             * Format: uuid
             * @description Only runs that this run started.
             */
            parent_run_id?: string;
            /**
             * Format: date-time
             * @description Only runs created after this moment.
             */
            created_after?: string;
            /**
             * Format: date-time
             * @description Only runs created before this moment.
             */
            created_before?: string;
            /** @description Only runs that carry this tag. */
            tag?: string;
            /** @description Only runs in one of these statuses. */
            status?: ("pending" | "running" | "waiting_human" | "succeeded" | "failed" | "cancelled")[];
        };
        /**
         * @example {
         *       "action": "retry",
         *       "filter": {
         *         "agent_id": "01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21",
         *         "status": [
         *           "failed"
         *         ]
         *       },
         *       "reason": "the search was down"
         *     }
         */
        CreateBulkActionDto: {
            /**
             * @description What is done to each of the runs.
             * @enum {string}
             */
            action: "cancel" | "delete" | "retry";
            /** @description The runs. Either these or `filter` has to be given. */
            ids?: string[];
            /** @description Every run that was created until now and that the list of runs would show with these filters; at least one. */
            filter?: components["schemas"]["RunFilterDto"];
            /** @description Change nothing, and tell how many runs it would be. Default `false`. */
            dry_run?: boolean;
            /** @description Why, for `cancel` and `retry`. */
            reason?: string;
            /** @description For `delete`: active runs, too. Default `false`. */
            force?: boolean;
            /**
             * @description For `retry`: what whoever picks a run up is given of its source. Default `none`.
             * @enum {string}
             */
            reuse?: "none" | "recorded_tool_results";
        };
        BulkActionPreviewResponse: {
            /**
             * @description What would be done to each of the runs.
             * @example retry
             * @enum {string}
             */
            action: "cancel" | "delete" | "retry";
            /**
             * @description How many runs are chosen; counted up to 10,000.
             * @example 240
             */
            matched: number;
            /**
             * @description How many of them stand where the action changes something.
             * @example 240
             */
            touched: number;
            /**
             * @description Whether all were counted: `false` when there may be more.
             * @example true
             */
            is_complete: boolean;
            /** @description The newest 20 that would be touched. */
            runs: components["schemas"]["RunSummary"][];
        };
        SkippedRunsResponse: {
            /**
             * @description Why, as a single request would have been told.
             * @example not_found
             */
            code: string;
            /**
             * @description How many.
             * @example 1
             */
            count: number;
        };
        FailedRunResponse: {
            /**
             * Format: uuid
             * @description The run.
             * @example 01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32
             */
            run_id: string;
            /**
             * @description What went wrong.
             * @example timeout
             */
            code: string;
        };
        BulkActionResponse: {
            /**
             * Format: uuid
             * @description The bulk action.
             * @example 01a22b50-0b91-7c4e-9d25-7e1f3a5b8c60
             */
            id: string;
            /**
             * Format: uuid
             * @description The project of the key that asked; `null` for an organization’s.
             * @example 01a22b4e-0c11-7e07-9d1c-6a5f0b6c2d10
             */
            project_id: string | null;
            /**
             * Format: uuid
             * @description The agent of the key that asked; `null` for a wider one.
             * @example 01a22b4e-1f52-7b3e-8a44-0c9d7e3f5a21
             */
            agent_id: string | null;
            /**
             * @description What is done to each of the runs.
             * @example retry
             * @enum {string}
             */
            action: "cancel" | "delete" | "retry";
            /**
             * @description How many runs were named; `null` with a filter.
             * @example null
             */
            named: number | null;
            /** @description What chooses the runs; `null` with ids. */
            filter: components["schemas"]["RunFilterDto"] | null;
            /**
             * @description Why, as it was given.
             * @example the search was down
             */
            reason: string | null;
            /**
             * @description Whether active runs are deleted, too.
             * @example false
             */
            force: boolean;
            /**
             * @description What retries are given of their sources; `null` where it was not said.
             * @example recorded_tool_results
             * @enum {string|null}
             */
            reuse: "none" | "recorded_tool_results" | null;
            /**
             * Format: uuid
             * @description The key that asked, and as which it is done.
             * @example 01a22b4d-9a3d-7f18-8c60-3b7e5d2f4a65
             */
            created_by: string;
            /**
             * @description Where it stands.
             * @example succeeded
             * @enum {string}
             */
            status: "pending" | "running" | "succeeded" | "failed" | "cancelled";
            /**
             * @description Why the rest was left: somebody asked for that, or the key that asked does not count any more.
             * @example null
             * @enum {string|null}
             */
            cancel_reason: "requested" | "key_revoked" | null;
            /**
             * @description How many runs it has come to: those done, skipped and failed.
             * @example 240
             */
            matched: number;
            /**
             * @description To how many it was done.
             * @example 239
             */
            done: number;
            /** @description How many were left as they are, by the reason. */
            skipped: components["schemas"]["SkippedRunsResponse"][];
            /**
             * @description With how many something went wrong.
             * @example 0
             */
            failed: number;
            /** @description The first ten of these. */
            errors: components["schemas"]["FailedRunResponse"][];
            /**
             * Format: date-time
             * @description When the first were done.
             * @example 2026-03-02T09:30:00.120000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             * @example 2026-03-02T09:30:02.443000Z
             */
            ended_at: string | null;
            /**
             * Format: date-time
             * @description When it was asked for: runs that were created later are none of it.
             * @example 2026-03-02T09:30:00.120000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last came further.
             * @example 2026-03-02T09:30:02.443000Z
             */
            updated_at: string;
        };
        BulkActionPage: {
            /** @description Newest first. */
            data: components["schemas"]["BulkActionResponse"][];
            /**
             * @description The cursor of the next page; `null` on the last one.
             * @example null
             */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "node": "search",
         *       "kind": "llm",
         *       "input": {
         *         "to": "LIS"
         *       },
         *       "model": "gpt-4o-mini",
         *       "provider": "openai"
         *     }
         */
        CreateStepDto: {
            /**
             * @description Where the step stands. A new step is `running` by default.
             * @enum {string}
             */
            status?: "pending" | "running" | "retrying" | "succeeded" | "failed" | "skipped" | "cancelled";
            /** @description What came out of the step, as it was sent. */
            output?: unknown;
            /** @description What went wrong. */
            error?: string;
            /** @description The kind of error, such as an exception class. */
            error_type?: string;
            /**
             * Format: int64
             * @description Milliseconds. Computed when absent and both times are known.
             */
            latency_ms?: number;
            /**
             * Format: int64
             * @description Tokens that a model read.
             */
            tokens_in?: number;
            /**
             * Format: int64
             * @description Tokens that a model wrote.
             */
            tokens_out?: number;
            /** @description Finer counts, such as cached or reasoning tokens. */
            token_details?: {
                [key: string]: unknown;
            };
            /** @description US dollars, at most 10 decimals, as a number or as text. */
            cost_usd?: number | string;
            /** @description The model, by its own name. */
            model?: string;
            /** @description Who served the model. */
            provider?: string;
            /** @description Whatever else belongs to the step. An update replaces it. */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the step ended. Default, on a final status: now.
             */
            ended_at?: string;
            /**
             * Format: uuid
             * @description The id of the step within its run. The same one again is the same step.
             */
            id?: string;
            /**
             * @description The node of the graph, or whatever the step is called.
             * @example plan
             */
            node: string;
            /** @description The kind of step, such as `agent`, `chain`, `llm`, `tool`. */
            kind?: string;
            /**
             * Format: uuid
             * @description The step of the same run that this one belongs to.
             */
            parent_step_id?: string;
            /** @description What went into the step, as it was sent. */
            input?: unknown;
            /** @description The role of the agent that did the step. */
            agent_role?: string;
            /** @description The tier of the model, such as `fast` or `strong`. */
            tier?: string;
            /**
             * Format: date-time
             * @description When the step started. Default, for a running step: now.
             */
            started_at?: string;
            /** @description The id of the step elsewhere, such as a span id. */
            external_id?: string;
        };
        /**
         * @example {
         *       "status": "succeeded",
         *       "output": {
         *         "flight": "TP 535",
         *         "eur": 119
         *       },
         *       "tokens_in": 412,
         *       "tokens_out": 58
         *     }
         */
        ChangeStepDto: {
            /**
             * @description Where the step stands. A new step is `running` by default.
             * @enum {string}
             */
            status?: "pending" | "running" | "retrying" | "succeeded" | "failed" | "skipped" | "cancelled";
            /** @description What came out of the step, as it was sent. */
            output?: unknown;
            /** @description What went wrong. */
            error?: string;
            /** @description The kind of error, such as an exception class. */
            error_type?: string;
            /**
             * Format: int64
             * @description Milliseconds. Computed when absent and both times are known.
             */
            latency_ms?: number;
            /**
             * Format: int64
             * @description Tokens that a model read.
             */
            tokens_in?: number;
            /**
             * Format: int64
             * @description Tokens that a model wrote.
             */
            tokens_out?: number;
            /** @description Finer counts, such as cached or reasoning tokens. */
            token_details?: {
                [key: string]: unknown;
            };
            /** @description US dollars, at most 10 decimals, as a number or as text. */
            cost_usd?: number | string;
            /** @description The model, by its own name. */
            model?: string;
            /** @description Who served the model. */
            provider?: string;
            /** @description Whatever else belongs to the step. An update replaces it. */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the step ended. Default, on a final status: now.
             */
            ended_at?: string;
        };
        /**
         * @example {
         *       "role": "assistant",
         *       "content": "Lisbon, for 119 EUR."
         *     }
         */
        CreateMessageDto: {
            /**
             * Format: uuid
             * @description The id of the message within its run. The same one again is the same message.
             */
            id?: string;
            /**
             * Format: uuid
             * @description The step of the same run that the message belongs to.
             */
            step_id?: string;
            /**
             * @description Who speaks.
             * @enum {string}
             */
            role: "system" | "developer" | "user" | "assistant" | "tool";
            /** @description The name of who speaks. */
            name?: string;
            /** @description What is said. Other forms go into `extra`. */
            content?: string | null;
            /** @description The tool call that the message answers. */
            tool_call_id?: string;
            /** @description Whatever else belongs to the message, as it was sent. */
            extra?: unknown;
        };
        /**
         * @example {
         *       "step_id": "01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43",
         *       "name": "flights",
         *       "arguments": {
         *         "to": "LIS"
         *       },
         *       "provider_call_id": "call_1"
         *     }
         */
        CreateToolCallDto: {
            /**
             * @description Where the call stands. Default: `failed` with an error, `succeeded` with a result; else `running` for a new call and `succeeded` for a completion.
             * @enum {string}
             */
            status?: "running" | "succeeded" | "failed" | "cancelled";
            /** @description What the tool answered, as it was sent. */
            result?: unknown;
            /** @description What went wrong. */
            error?: string;
            /** @description The kind of error, such as an exception class. */
            error_type?: string;
            /**
             * Format: int64
             * @description Milliseconds. Computed when absent and both times are known.
             */
            latency_ms?: number;
            /** @description Whatever else belongs to the call. A completion replaces it. */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the call ended. Default, on a final status: now.
             */
            ended_at?: string;
            /**
             * Format: uuid
             * @description The `call_id`. The same one again is the same call.
             */
            id?: string;
            /**
             * @description The tool.
             * @example search
             */
            name: string;
            /** @description What the tool was called with, as it was sent. */
            arguments?: unknown;
            /** @description The model provider's id, such as `call_1`. It is no key. */
            provider_call_id?: string;
            /**
             * Format: date-time
             * @description When the call started. Default, for a running call: now.
             */
            started_at?: string;
            /**
             * Format: uuid
             * @description The step of the same run that makes the call.
             */
            step_id?: string;
        };
        /**
         * @example {
         *       "name": "flights",
         *       "step_id": "01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43",
         *       "result": {
         *         "flight": "TP 535",
         *         "eur": 119
         *       }
         *     }
         */
        CompleteOldestToolCallDto: {
            /**
             * @description Where the call stands. Default: `failed` with an error, `succeeded` with a result; else `running` for a new call and `succeeded` for a completion.
             * @enum {string}
             */
            status?: "running" | "succeeded" | "failed" | "cancelled";
            /** @description What the tool answered, as it was sent. */
            result?: unknown;
            /** @description What went wrong. */
            error?: string;
            /** @description The kind of error, such as an exception class. */
            error_type?: string;
            /**
             * Format: int64
             * @description Milliseconds. Computed when absent and both times are known.
             */
            latency_ms?: number;
            /** @description Whatever else belongs to the call. A completion replaces it. */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the call ended. Default, on a final status: now.
             */
            ended_at?: string;
            /** @description The tool. Its oldest open call in the step is completed. */
            name: string;
            /**
             * Format: uuid
             * @description The step that made the call; absent for a call without a step.
             */
            step_id?: string;
        };
        /**
         * @example {
         *       "result": {
         *         "flight": "TP 535",
         *         "eur": 119
         *       }
         *     }
         */
        CompleteToolCallDto: {
            /**
             * @description Where the call stands. Default: `failed` with an error, `succeeded` with a result; else `running` for a new call and `succeeded` for a completion.
             * @enum {string}
             */
            status?: "running" | "succeeded" | "failed" | "cancelled";
            /** @description What the tool answered, as it was sent. */
            result?: unknown;
            /** @description What went wrong. */
            error?: string;
            /** @description The kind of error, such as an exception class. */
            error_type?: string;
            /**
             * Format: int64
             * @description Milliseconds. Computed when absent and both times are known.
             */
            latency_ms?: number;
            /** @description Whatever else belongs to the call. A completion replaces it. */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the call ended. Default, on a final status: now.
             */
            ended_at?: string;
        };
        /**
         * @example {
         *       "name": "flights",
         *       "arguments": {
         *         "to": "LIS"
         *       },
         *       "result": {
         *         "flight": "TP 535",
         *         "eur": 119
         *       }
         *     }
         */
        CreateAgentToolCallDto: {
            /**
             * @description Where the call stands. Default: `failed` with an error, `succeeded` with a result; else `running` for a new call and `succeeded` for a completion.
             * @enum {string}
             */
            status?: "running" | "succeeded" | "failed" | "cancelled";
            /** @description What the tool answered, as it was sent. */
            result?: unknown;
            /** @description What went wrong. */
            error?: string;
            /** @description The kind of error, such as an exception class. */
            error_type?: string;
            /**
             * Format: int64
             * @description Milliseconds. Computed when absent and both times are known.
             */
            latency_ms?: number;
            /** @description Whatever else belongs to the call. A completion replaces it. */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the call ended. Default, on a final status: now.
             */
            ended_at?: string;
            /**
             * Format: uuid
             * @description The `call_id`. The same one again is the same call.
             */
            id?: string;
            /**
             * @description The tool.
             * @example search
             */
            name: string;
            /** @description What the tool was called with, as it was sent. */
            arguments?: unknown;
            /** @description The model provider's id, such as `call_1`. It is no key. */
            provider_call_id?: string;
            /**
             * Format: date-time
             * @description When the call started. Default, for a running call: now.
             */
            started_at?: string;
        };
        /**
         * @example {
         *       "label": "before booking",
         *       "state": {
         *         "seat": "12A"
         *       }
         *     }
         */
        CreateCheckpointDto: {
            /**
             * Format: uuid
             * @description The id of the checkpoint within its run. The same one again is the same one.
             */
            id?: string;
            /** @description What the checkpoint is called. */
            label?: string;
            /**
             * Format: uuid
             * @description The step of the same run that the checkpoint follows.
             */
            step_id?: string;
            /** @description The state to resume from, in whatever form the adapter has. */
            state: unknown;
        };
        VerdictResponse: {
            /**
             * @description What became of the item. `created`, `updated` and `duplicate` are kept.
             * @example rejected
             * @enum {string}
             */
            verdict: "created" | "updated" | "duplicate" | "rejected";
            /**
             * @description Why it was rejected: the code of a problem.
             * @example invalid_request
             * @enum {string}
             */
            code?: "unauthenticated" | "forbidden" | "not_found" | "method_not_allowed" | "malformed_json" | "invalid_request" | "invalid_cursor" | "request_too_large" | "unsupported_media_type" | "uri_too_long" | "headers_too_large" | "upgrade_required" | "request_timeout" | "idempotency.key_reused" | "idempotency.in_progress" | "name_taken" | "slug_taken" | "id_conflict" | "external_id_conflict" | "version_mismatch" | "project.not_empty" | "key.wider_than_minter" | "key.revoked" | "key.already_rotated" | "run.transition_refused" | "run.final" | "run.active" | "run.deleted" | "run.lease_lost" | "run.approvals_open" | "step.transition_refused" | "tool_call.transition_refused" | "approval.decided" | "approval.stale" | "already_completed" | "too_many_items" | "too_many_streams" | "too_many_bulk_actions" | "internal" | "unavailable" | "timeout";
            /**
             * @description Where the fault lies: an RFC 6901 pointer into the item.
             * @example /status
             */
            pointer?: string;
            /**
             * @description What is wrong, in a sentence.
             * @example is missing
             */
            detail?: string;
        };
        IngestCountsResponse: {
            /**
             * Format: int64
             * @description Items that made something.
             * @example 2
             */
            created: number;
            /**
             * Format: int64
             * @description Items that changed something.
             * @example 1
             */
            updated: number;
            /**
             * Format: int64
             * @description Items that said nothing new.
             * @example 0
             */
            duplicate: number;
            /**
             * Format: int64
             * @description Items that were not kept.
             * @example 1
             */
            rejected: number;
        };
        IngestResponse: {
            /** @description One verdict for each item, in the order of the items. */
            results: components["schemas"]["VerdictResponse"][];
            /** @description How many of each. */
            counts: components["schemas"]["IngestCountsResponse"];
        };
        ValueChange: {
            /**
             * @description The value before.
             * @example gpt-4o
             */
            from: unknown;
            /**
             * @description The value after.
             * @example gpt-4o-mini
             */
            to: unknown;
        };
        /** @description An RFC 9457 problem. */
        Problem: {
            /**
             * Format: uri-reference
             * @description The page that explains the problem.
             */
            type: string;
            /** @description What is wrong, the same for every occurrence. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /**
             * @description The stable code of the problem; `type` leads to its page.
             * @enum {string}
             */
            code: "already_completed" | "approval.decided" | "approval.stale" | "external_id_conflict" | "forbidden" | "id_conflict" | "idempotency.in_progress" | "idempotency.key_reused" | "internal" | "invalid_cursor" | "invalid_request" | "key.already_rotated" | "key.revoked" | "key.wider_than_minter" | "malformed_json" | "name_taken" | "not_found" | "project.not_empty" | "request_too_large" | "run.active" | "run.approvals_open" | "run.deleted" | "run.final" | "run.lease_lost" | "run.transition_refused" | "slug_taken" | "step.transition_refused" | "timeout" | "too_many_bulk_actions" | "too_many_items" | "too_many_streams" | "tool_call.transition_refused" | "unauthenticated" | "unavailable" | "unsupported_media_type" | "upgrade_required" | "uri_too_long" | "version_mismatch";
            /** @description A sentence about this occurrence. */
            detail?: string;
            /**
             * Format: uri
             * @description The id of the request, as in the logs.
             */
            instance: string;
            /** @description The single faults of a request, 20 at most. */
            errors?: {
                /** @description An RFC 6901 pointer into the body, or `?name` of a parameter. */
                pointer: string;
                /** @description What is wrong with it. */
                detail: string;
            }[];
            /** @description Where the thing stands that refused. */
            current_state?: string;
            /** @description Where it can go from there. */
            allowed?: string[];
            /** @description The version that the agent has now. */
            current_version?: number;
            /** @description Why a key is not minted, or why it was decided so. */
            reason?: string;
            /**
             * Format: uuid
             * @description The key that decided.
             */
            decided_by?: string;
            /**
             * Format: date-time
             * @description When it was decided.
             */
            decided_at?: string;
            /** @description The hash of what is to be decided about. */
            arguments_hash?: string;
            /** @description The approvals that have to be decided first. */
            open?: string[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of the request, as in the logs. */
        "X-Request-Id": string;
        /** @description After how many seconds to try again. */
        "Retry-After": number;
        /** @description How to prove who you are. */
        "WWW-Authenticate": string;
        /** @description The answer is that of the request which had this `Idempotency-Key` first. */
        "Idempotency-Replayed": "true";
        /** @description When the lease that the request named ends now; absent when the run is not under way. */
        "AgentFlow-Lease-Expires-At": string;
        /** @description To the holder of the lease that the request named: whether the run was called off, so that he should stop. */
        "AgentFlow-Cancel-Requested": "true" | "false";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    me_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key and what it sees. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeResponse"];
                };
            };
        };
    };
    limits_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits of this installation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitsResponse"];
                };
            };
        };
    };
    organizations_found: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrganizationDto"];
            };
        };
        responses: {
            /** @description The new organization. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundedOrganizationResponse"];
                };
            };
        };
    };
    organizations_own: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationResponse"];
                };
            };
        };
    };
    apiKeys_list: {
        parameters: {
            query?: {
                /** @description How many rows at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
        };
    };
    apiKeys_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyDto"];
            };
        };
        responses: {
            /** @description The new key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKeyResponse"];
                };
            };
        };
    };
    apiKeys_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResponse"];
                };
            };
        };
    };
    apiKeys_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    apiKeys_rotate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the key. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateApiKeyDto"];
            };
        };
        responses: {
            /** @description The successor. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKeyResponse"];
                };
            };
        };
    };
    projects_list: {
        parameters: {
            query?: {
                /** @description How many rows at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of projects. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectPage"];
                };
            };
        };
    };
    projects_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectDto"];
            };
        };
        responses: {
            /** @description The new project. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
        };
    };
    projects_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
        };
    };
    projects_remove: {
        parameters: {
            query?: {
                /** @description Delete the agents of the project, and all that is below them, as well. */
                cascade?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the project. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    projects_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeProjectDto"];
            };
        };
        responses: {
            /** @description The project as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
        };
    };
    agents_list: {
        parameters: {
            query?: {
                /** @description How many rows at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only the agents of this project. */
                project_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of agents. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentPage"];
                };
            };
        };
    };
    agents_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgentDto"];
            };
        };
        responses: {
            /** @description The new agent. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentResponse"];
                };
            };
        };
    };
    agents_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentResponse"];
                };
            };
        };
    };
    agents_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    agents_change: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that was seen, in quotes. The change is refused when the agent has another one. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeAgentDto"];
            };
        };
        responses: {
            /** @description The agent as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentResponse"];
                };
            };
        };
    };
    agentVersions_list: {
        parameters: {
            query?: {
                /** @description How many rows at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of versions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentVersionPage"];
                };
            };
        };
    };
    agentVersions_diff: {
        parameters: {
            query: {
                /** @description The version to compare from. */
                from: number;
                /** @description The version to compare to. */
                to: number;
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What differs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDiffResponse"];
                };
            };
        };
    };
    agentVersions_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                agent_id: string;
                /** @description The version, a number. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentVersionResponse"];
                };
            };
        };
    };
    agentVersions_restore: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the agent. */
                agent_id: string;
                /** @description The version, a number. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentResponse"];
                };
            };
        };
    };
    modelPrices_list: {
        parameters: {
            query?: {
                /** @description How many rows at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of prices. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelPricePage"];
                };
            };
        };
    };
    modelPrices_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateModelPriceDto"];
            };
        };
        responses: {
            /** @description The new price. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelPriceResponse"];
                };
            };
        };
    };
    modelPrices_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the price. */
                price_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The price. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelPriceResponse"];
                };
            };
        };
    };
    modelPrices_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the price. */
                price_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The price is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    runs_list: {
        parameters: {
            query?: {
                /** @description How many rows at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only runs of this project. */
                project_id?: string;
                /** @description Only runs of this agent. */
                agent_id?: string;
                /** @description Only runs of this adapter. */
                adapter?: string;
                /** @description Only runs of this session. */
                session_id?: string;
                /** @description Only runs that this run started. */
                parent_run_id?: string;
                /** @description Only runs created after this moment. */
                created_after?: string;
                /** @description Only runs created before this moment. */
                created_before?: string;
                /** @description Only runs that carry this tag. */
                tag?: string;
                /** @description Only runs in one of these statuses, comma-separated. */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
        };
    };
    runs_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateRunDto"];
            };
        };
        responses: {
            /** @description It was there already, with the same content. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldRunResponse"];
                };
            };
            /** @description The new run. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldRunResponse"];
                };
            };
        };
    };
    runs_get: {
        parameters: {
            query?: {
                /** @description Show the first 50 of these as well, comma-separated. */
                include?: string;
            };
            header?: never;
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunWithChildrenResponse"];
                };
            };
        };
    };
    runs_remove: {
        parameters: {
            query?: {
                /** @description Delete the run even while it is active. */
                force?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    runMoves_start: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
                /** @description The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it. */
                "AgentFlow-Lease"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StartRunDto"];
            };
        };
        responses: {
            /** @description The run as it is now. The same move with the same content again answers the same. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldRunResponse"];
                };
            };
        };
    };
    runMoves_wait: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
                /** @description The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it. */
                "AgentFlow-Lease"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WaitRunDto"];
            };
        };
        responses: {
            /** @description The run as it is now. The same move with the same content again answers the same. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResponse"];
                };
            };
        };
    };
    runMoves_resume: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
                /** @description The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it. */
                "AgentFlow-Lease"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResumeRunDto"];
            };
        };
        responses: {
            /** @description The run as it is now. The same move with the same content again answers the same. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResponse"];
                };
            };
        };
    };
    runMoves_succeed: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
                /** @description The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it. */
                "AgentFlow-Lease"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SucceedRunDto"];
            };
        };
        responses: {
            /** @description The run as it is now. The same move with the same content again answers the same. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResponse"];
                };
            };
        };
    };
    runMoves_fail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
                /** @description The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it. */
                "AgentFlow-Lease"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FailRunDto"];
            };
        };
        responses: {
            /** @description The run as it is now. The same move with the same content again answers the same. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResponse"];
                };
            };
        };
    };
    runMoves_cancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
                /** @description The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it. */
                "AgentFlow-Lease"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelRunDto"];
            };
        };
        responses: {
            /** @description The run as it is now. The same move with the same content again answers the same. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResponse"];
                };
            };
        };
    };
    runMoves_heartbeat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeartbeatDto"];
            };
        };
        responses: {
            /** @description Where the run stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeartbeatResponse"];
                };
            };
        };
    };
    runCopies_claim: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimRunDto"];
            };
        };
        responses: {
            /** @description The run, with what to begin with. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimedRunResponse"];
                };
            };
            /** @description No run of the agent is pending. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    runCopies_retry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CopyRunDto"];
            };
        };
        responses: {
            /** @description The new run. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResponse"];
                };
            };
        };
    };
    runCopies_fork: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
                /** @description The index, a number. */
                index: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CopyRunDto"];
            };
        };
        responses: {
            /** @description The new run. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResponse"];
                };
            };
        };
    };
    runCopies_lineage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The runs above and below it, as far as the key sees them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineageResponse"];
                };
            };
        };
    };
    runEvents_follow: {
        parameters: {
            query?: {
                /** @description Begin behind this event. The header `Last-Event-ID` outdoes it. */
                after?: number;
                /** @description How events are told: `log`, the default, or `execution`, an older format. */
                format?: "log" | "execution";
            };
            header?: {
                /** @description The last id that was received: the stream goes on behind it. Browsers send it by themselves. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, each once and in order: those there are, then each as it is committed. Ends behind the last event of a run that has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The run has ended, and there is nothing behind the last event that was seen. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    execution_follow: {
        parameters: {
            query?: {
                /** @description Begin behind this event: the `seq` of the last one that came. */
                after?: number;
            };
            header?: never;
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, each a message of text, in order: those there are, then each as it is committed. Closed with 1000 behind the last event of a run that has ended. */
            101: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    events_follow: {
        parameters: {
            query?: {
                /** @description Go on behind this id of the stream; without it the stream begins now. The header `Last-Event-ID` outdoes it. */
                after?: string;
                /** @description Only of runs of this project. */
                project_id?: string;
                /** @description Only of runs of this agent. */
                agent_id?: string;
                /** @description Only of these types, comma-separated. */
                type?: string;
            };
            header?: {
                /** @description The last id that was received: the stream goes on behind it. Browsers send it by themselves. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events of all runs, each once and in one order, as they are committed. The first frame has an id only: where the stream begins. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    live_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
                /** @description The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it. */
                "AgentFlow-Lease"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostLiveDto"];
            };
        };
        responses: {
            /** @description It was said, if somebody listens. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    comparison_compare: {
        parameters: {
            query?: {
                /** @description How many steps at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the run. */
                run_id: string;
                /** @description The id of the other_run. */
                other_run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What differs between the runs, and one page of their steps. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunComparisonResponse"];
                };
            };
        };
    };
    approvals_list: {
        parameters: {
            query?: {
                /** @description How many rows at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only approvals in one of these statuses, comma-separated; `pending` is what waits. */
                status?: string;
                /** @description Only approvals of this run. */
                run_id?: string;
                /** @description Only approvals of this agent. */
                agent_id?: string;
                /** @description Only approvals of this project. */
                project_id?: string;
                /** @description Only approvals for this assignee. */
                assignee?: string;
                /** @description Only approvals of this kind. */
                kind?: "tool" | "question" | "gate";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of approvals. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalPage"];
                };
            };
        };
    };
    approvals_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the approval. */
                approval_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approval. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalResponse"];
                };
            };
        };
    };
    approvals_decide: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the approval. */
                approval_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideApprovalDto"];
            };
        };
        responses: {
            /** @description The approval as it is now. The same decision again answers the same. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalResponse"];
                };
            };
        };
    };
    runApprovals_await: {
        parameters: {
            query?: {
                /** @description How many seconds to wait for a decision, while it is pending. Default 0. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description The id of the run. */
                run_id: string;
                /** @description The id of the approval. */
                approval_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approval: pending still, when nobody has decided in that time. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalResponse"];
                };
            };
        };
    };
    auditLog_list: {
        parameters: {
            query?: {
                /** @description How many rows at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only what was done by one of this kind. */
                actor?: "key" | "root" | "system";
                /** @description Only what was done with this key. */
                actor_key_id?: string;
                /** @description Only these actions, comma-separated. */
                action?: string;
                /** @description Only what was done to things of this kind. */
                entity_type?: "organization" | "project" | "agent" | "api_key" | "model_price" | "approval" | "bulk_action" | "run";
                /** @description Only what was done to this thing. */
                entity_id?: string;
                /** @description Only what was done in this project. */
                project_id?: string;
                /** @description Only what was done to this agent, and to its runs and keys. */
                agent_id?: string;
                /** @description Only what was done after this moment. */
                at_after?: string;
                /** @description Only what was done before this moment. */
                at_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the audit log. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogPage"];
                };
            };
        };
    };
    bulkActions_list: {
        parameters: {
            query?: {
                /** @description How many rows at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of bulk actions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkActionPage"];
                };
            };
        };
    };
    bulkActions_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBulkActionDto"];
            };
        };
        responses: {
            /** @description A dry run: what it would come to now. Nothing was changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkActionPreviewResponse"];
                };
            };
            /** @description What is to be done. A worker begins with it within seconds. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkActionResponse"];
                };
            };
        };
    };
    bulkActions_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the bulk_action. */
                bulk_action_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bulk action. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkActionResponse"];
                };
            };
        };
    };
    bulkActions_cancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the bulk_action. */
                bulk_action_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bulk action as it is now. One that has ended stays as it ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkActionResponse"];
                };
            };
        };
    };
    steps_list: {
        parameters: {
            query?: {
                /** @description How many rows at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
                /** @description By index, rising (`asc`, the default) or falling. */
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of steps. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepPage"];
                };
            };
        };
    };
    steps_add: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
                /** @description The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it. */
                "AgentFlow-Lease"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateStepDto"];
            };
        };
        responses: {
            /** @description It was there already, with the same content. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepResponse"];
                };
            };
            /** @description The new step. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepResponse"];
                };
            };
        };
    };
    steps_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the run. */
                run_id: string;
                /** @description The id of the step. */
                step_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The step. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepResponse"];
                };
            };
        };
    };
    steps_change: {
        parameters: {
            query?: never;
            header?: {
                /** @description The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it. */
                "AgentFlow-Lease"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
                /** @description The id of the step. */
                step_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeStepDto"];
            };
        };
        responses: {
            /** @description The step as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepResponse"];
                };
            };
        };
    };
    messages_list: {
        parameters: {
            query?: {
                /** @description How many rows at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
                /** @description By index, rising (`asc`, the default) or falling. */
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of messages. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
        };
    };
    messages_add: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
                /** @description The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it. */
                "AgentFlow-Lease"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMessageDto"];
            };
        };
        responses: {
            /** @description It was there already, with the same content. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            /** @description The new message. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
        };
    };
    toolCalls_list: {
        parameters: {
            query?: {
                /** @description How many rows at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
                /** @description By index, rising (`asc`, the default) or falling. */
                order?: "asc" | "desc";
                /** @description Only the calls of this step. */
                step_id?: string;
            };
            header?: never;
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of calls. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallPage"];
                };
            };
        };
    };
    toolCalls_add: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
                /** @description The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it. */
                "AgentFlow-Lease"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateToolCallDto"];
            };
        };
        responses: {
            /** @description It was there already, with the same content. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallResponse"];
                };
            };
            /** @description The new call. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallResponse"];
                };
            };
        };
    };
    toolCalls_completeOldest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
                /** @description The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it. */
                "AgentFlow-Lease"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteOldestToolCallDto"];
            };
        };
        responses: {
            /** @description The call that was completed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallResponse"];
                };
            };
        };
    };
    toolCalls_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the run. */
                run_id: string;
                /** @description The id of the call. */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallResponse"];
                };
            };
        };
    };
    toolCalls_complete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it. */
                "AgentFlow-Lease"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
                /** @description The id of the call. */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CompleteToolCallDto"];
            };
        };
        responses: {
            /** @description The call as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallResponse"];
                };
            };
        };
    };
    agentToolCalls_list: {
        parameters: {
            query?: {
                /** @description How many rows at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of calls. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallPage"];
                };
            };
        };
    };
    agentToolCalls_add: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgentToolCallDto"];
            };
        };
        responses: {
            /** @description It was there already, with the same content. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallResponse"];
                };
            };
            /** @description The new call. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallResponse"];
                };
            };
        };
    };
    agentToolCalls_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                agent_id: string;
                /** @description The id of the call. */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallResponse"];
                };
            };
        };
    };
    agentToolCalls_complete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent. */
                agent_id: string;
                /** @description The id of the call. */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CompleteToolCallDto"];
            };
        };
        responses: {
            /** @description The call as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallResponse"];
                };
            };
        };
    };
    checkpoints_list: {
        parameters: {
            query?: {
                /** @description How many rows at most. Default 50. */
                limit?: number;
                /** @description Where to go on: the `next_cursor` of the page before. */
                cursor?: string;
                /** @description By index, rising (`asc`, the default) or falling. */
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of checkpoints. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckpointPage"];
                };
            };
        };
    };
    checkpoints_add: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
                /** @description The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it. */
                "AgentFlow-Lease"?: string;
            };
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCheckpointDto"];
            };
        };
        responses: {
            /** @description It was there already, with the same content. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckpointResponse"];
                };
            };
            /** @description The new checkpoint. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "AgentFlow-Lease-Expires-At": components["headers"]["AgentFlow-Lease-Expires-At"];
                    "AgentFlow-Cancel-Requested": components["headers"]["AgentFlow-Cancel-Requested"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckpointResponse"];
                };
            };
        };
    };
    checkpoints_latest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The latest checkpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckpointResponse"];
                };
            };
        };
    };
    checkpoints_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the run. */
                run_id: string;
                /** @description The index, a number. */
                index: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checkpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckpointResponse"];
                };
            };
        };
    };
    ingest_ingest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets the same answer with `Idempotency-Replayed: true`, secrets withheld. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "type": "run.started",
                 *         "run_id": "01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32",
                 *         "at": "2026-03-02T09:30:00.120000Z",
                 *         "agent": {
                 *           "name": "planner",
                 *           "adapter": "langgraph"
                 *         },
                 *         "input": "Where to?"
                 *       },
                 *       {
                 *         "type": "step.started",
                 *         "run_id": "01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32",
                 *         "id": "01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43",
                 *         "at": "2026-03-02T09:30:00.120000Z",
                 *         "node": "search",
                 *         "kind": "llm",
                 *         "model": "gpt-4o-mini"
                 *       },
                 *       {
                 *         "type": "step.finished",
                 *         "run_id": "01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32",
                 *         "id": "01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43",
                 *         "at": "2026-03-02T09:30:02.443000Z",
                 *         "output": {
                 *           "flight": "TP 535",
                 *           "eur": 119
                 *         },
                 *         "tokens_in": 412,
                 *         "tokens_out": 58
                 *       },
                 *       {
                 *         "type": "run.finished",
                 *         "run_id": "01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32",
                 *         "at": "2026-03-02T09:30:02.443000Z",
                 *         "status": "succeeded",
                 *         "output": "Lisbon"
                 *       }
                 *     ]
                 */
                "application/json": ({
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "run.started";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description The run again; may be left out.
                     */
                    id?: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /**
                     * Format: uuid
                     * @description The agent by its id, instead of `agent`.
                     */
                    agent_id?: string;
                    /**
                     * Format: uuid
                     * @description The project of an agent that is not known yet; needed with an organization key only.
                     */
                    project_id?: string;
                    /** @description What the run is reported through. Default: the agent’s. */
                    adapter?: string;
                    /** @description What people call the run. */
                    name?: string;
                    /** @description What the run was given, as it was sent. */
                    input?: unknown;
                    /** @description Whatever else belongs to the run. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Short labels. */
                    tags?: string[];
                    /** @description The conversation that the run belongs to. */
                    session_id?: string;
                    /** @description The id of the run elsewhere; unique per organization. */
                    external_id?: string;
                    /**
                     * Format: uuid
                     * @description The run that this one was started by.
                     */
                    parent_run_id?: string;
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "run.moved";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description The run again; may be left out.
                     */
                    id?: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /**
                     * @description Where it stands now.
                     * @enum {string}
                     */
                    status: "running" | "waiting_human";
                    /** @description With `waiting_human`: what is asked. */
                    question?: string;
                    /** @description With `waiting_human`: what the question is about. */
                    payload?: unknown;
                    /** @description With `waiting_human`: the kind of question. */
                    kind?: string;
                    /** @description With `running`: what was answered. */
                    input?: unknown;
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "run.finished";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description The run again; may be left out.
                     */
                    id?: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /**
                     * @description How it ended.
                     * @enum {string}
                     */
                    status: "succeeded" | "failed" | "cancelled";
                    /** @description What came out, as it was sent. */
                    output?: unknown;
                    /** @description What went wrong, in words. */
                    error?: string;
                    /** @description The class of the error. */
                    error_type?: string;
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "step.started";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Made by the reporter; the same one again is the same thing.
                     */
                    id: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /** @description The node of the graph, or whatever the step is called. */
                    node: string;
                    /** @description The kind of step, such as `agent`, `chain`, `llm`. */
                    kind?: string;
                    /**
                     * Format: uuid
                     * @description The step of the same run that this one belongs to.
                     */
                    parent_step_id?: string;
                    /** @description What went into the step, as it was sent. */
                    input?: unknown;
                    /** @description The role of the agent that did the step. */
                    agent_role?: string;
                    /** @description The tier of the model, such as `fast` or `strong`. */
                    tier?: string;
                    /** @description The id of the step elsewhere, such as a span id. */
                    external_id?: string;
                    /**
                     * @description Default: `running`.
                     * @enum {string}
                     */
                    status?: "pending" | "running";
                    /** @description What came out, as it was sent. */
                    output?: unknown;
                    /** @description What went wrong, in words. */
                    error?: string;
                    /** @description The class of the error. */
                    error_type?: string;
                    /** @description Tokens that a model read. */
                    tokens_in?: number;
                    /** @description Tokens that a model wrote. */
                    tokens_out?: number;
                    /** @description Finer counts, such as cached or reasoning tokens. */
                    token_details?: {
                        [key: string]: unknown;
                    };
                    /** @description US dollars, at most 10 decimals, as a number or text. */
                    cost_usd?: number | string;
                    /** @description The model, by its own name. */
                    model?: string;
                    /** @description Who served the model. */
                    provider?: string;
                    /** @description How often it was tried again. */
                    retry_count?: number;
                    /** @description Whatever else belongs to it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "step.updated";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Made by the reporter; the same one again is the same thing.
                     */
                    id: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /**
                     * @description Where it stands now.
                     * @enum {string}
                     */
                    status?: "pending" | "running" | "retrying";
                    /** @description What came out, as it was sent. */
                    output?: unknown;
                    /** @description What went wrong, in words. */
                    error?: string;
                    /** @description The class of the error. */
                    error_type?: string;
                    /** @description Tokens that a model read. */
                    tokens_in?: number;
                    /** @description Tokens that a model wrote. */
                    tokens_out?: number;
                    /** @description Finer counts, such as cached or reasoning tokens. */
                    token_details?: {
                        [key: string]: unknown;
                    };
                    /** @description US dollars, at most 10 decimals, as a number or text. */
                    cost_usd?: number | string;
                    /** @description The model, by its own name. */
                    model?: string;
                    /** @description Who served the model. */
                    provider?: string;
                    /** @description How often it was tried again. */
                    retry_count?: number;
                    /** @description Whatever else belongs to it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "step.finished";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Made by the reporter; the same one again is the same thing.
                     */
                    id: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /**
                     * @description How it ended. Default: `failed` with an error, `succeeded` otherwise.
                     * @enum {string}
                     */
                    status?: "succeeded" | "failed" | "skipped" | "cancelled";
                    /** @description How long it took, in milliseconds. Default: from start to end. */
                    latency_ms?: number;
                    /** @description What came out, as it was sent. */
                    output?: unknown;
                    /** @description What went wrong, in words. */
                    error?: string;
                    /** @description The class of the error. */
                    error_type?: string;
                    /** @description Tokens that a model read. */
                    tokens_in?: number;
                    /** @description Tokens that a model wrote. */
                    tokens_out?: number;
                    /** @description Finer counts, such as cached or reasoning tokens. */
                    token_details?: {
                        [key: string]: unknown;
                    };
                    /** @description US dollars, at most 10 decimals, as a number or text. */
                    cost_usd?: number | string;
                    /** @description The model, by its own name. */
                    model?: string;
                    /** @description Who served the model. */
                    provider?: string;
                    /** @description How often it was tried again. */
                    retry_count?: number;
                    /** @description Whatever else belongs to it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "message";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Made by the reporter; the same one again is the same thing.
                     */
                    id: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /**
                     * @description Who speaks.
                     * @enum {string}
                     */
                    role: "system" | "developer" | "user" | "assistant" | "tool";
                    /**
                     * Format: uuid
                     * @description The step that it was said in.
                     */
                    step_id?: string;
                    /** @description The name of the speaker. */
                    name?: string;
                    /** @description What was said. */
                    content?: string | null;
                    /** @description The call that a tool answers. */
                    tool_call_id?: string;
                    /** @description Whatever else came with it. */
                    extra?: unknown;
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "tool_call.started";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Made by the reporter; the same one again is the same thing.
                     */
                    id: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /** @description The tool. */
                    name: string;
                    /**
                     * Format: uuid
                     * @description The step that called it.
                     */
                    step_id?: string;
                    /** @description What it was called with, as it was sent. */
                    arguments?: unknown;
                    /** @description The id that the model gave the call. */
                    provider_call_id?: string;
                    /** @description Whatever else belongs to it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "tool_call.completed";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Made by the reporter; the same one again is the same thing.
                     */
                    id: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /**
                     * @description How it ended. Default: `failed` with an error, `succeeded` otherwise.
                     * @enum {string}
                     */
                    status?: "succeeded" | "failed" | "cancelled";
                    /** @description What it answered, as it was sent. */
                    result?: unknown;
                    /** @description What went wrong, in words. */
                    error?: string;
                    /** @description The class of the error. */
                    error_type?: string;
                    /** @description How long it took, in milliseconds. Default: from start to end. */
                    latency_ms?: number;
                    /** @description Whatever else belongs to it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "checkpoint";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Made by the reporter; the same one again is the same thing.
                     */
                    id: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /** @description What people call it. */
                    label?: string;
                    /**
                     * Format: uuid
                     * @description The step after which it was taken.
                     */
                    step_id?: string;
                    /** @description The state, as it was sent. */
                    state: unknown;
                })[];
                /**
                 * @example [
                 *       {
                 *         "type": "run.started",
                 *         "run_id": "01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32",
                 *         "at": "2026-03-02T09:30:00.120000Z",
                 *         "agent": {
                 *           "name": "planner",
                 *           "adapter": "langgraph"
                 *         },
                 *         "input": "Where to?"
                 *       },
                 *       {
                 *         "type": "step.started",
                 *         "run_id": "01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32",
                 *         "id": "01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43",
                 *         "at": "2026-03-02T09:30:00.120000Z",
                 *         "node": "search",
                 *         "kind": "llm",
                 *         "model": "gpt-4o-mini"
                 *       },
                 *       {
                 *         "type": "step.finished",
                 *         "run_id": "01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32",
                 *         "id": "01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43",
                 *         "at": "2026-03-02T09:30:02.443000Z",
                 *         "output": {
                 *           "flight": "TP 535",
                 *           "eur": 119
                 *         },
                 *         "tokens_in": 412,
                 *         "tokens_out": 58
                 *       },
                 *       {
                 *         "type": "run.finished",
                 *         "run_id": "01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32",
                 *         "at": "2026-03-02T09:30:02.443000Z",
                 *         "status": "succeeded",
                 *         "output": "Lisbon"
                 *       }
                 *     ]
                 */
                "application/x-ndjson": ({
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "run.started";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description The run again; may be left out.
                     */
                    id?: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /**
                     * Format: uuid
                     * @description The agent by its id, instead of `agent`.
                     */
                    agent_id?: string;
                    /**
                     * Format: uuid
                     * @description The project of an agent that is not known yet; needed with an organization key only.
                     */
                    project_id?: string;
                    /** @description What the run is reported through. Default: the agent’s. */
                    adapter?: string;
                    /** @description What people call the run. */
                    name?: string;
                    /** @description What the run was given, as it was sent. */
                    input?: unknown;
                    /** @description Whatever else belongs to the run. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Short labels. */
                    tags?: string[];
                    /** @description The conversation that the run belongs to. */
                    session_id?: string;
                    /** @description The id of the run elsewhere; unique per organization. */
                    external_id?: string;
                    /**
                     * Format: uuid
                     * @description The run that this one was started by.
                     */
                    parent_run_id?: string;
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "run.moved";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description The run again; may be left out.
                     */
                    id?: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /**
                     * @description Where it stands now.
                     * @enum {string}
                     */
                    status: "running" | "waiting_human";
                    /** @description With `waiting_human`: what is asked. */
                    question?: string;
                    /** @description With `waiting_human`: what the question is about. */
                    payload?: unknown;
                    /** @description With `waiting_human`: the kind of question. */
                    kind?: string;
                    /** @description With `running`: what was answered. */
                    input?: unknown;
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "run.finished";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description The run again; may be left out.
                     */
                    id?: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /**
                     * @description How it ended.
                     * @enum {string}
                     */
                    status: "succeeded" | "failed" | "cancelled";
                    /** @description What came out, as it was sent. */
                    output?: unknown;
                    /** @description What went wrong, in words. */
                    error?: string;
                    /** @description The class of the error. */
                    error_type?: string;
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "step.started";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Made by the reporter; the same one again is the same thing.
                     */
                    id: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /** @description The node of the graph, or whatever the step is called. */
                    node: string;
                    /** @description The kind of step, such as `agent`, `chain`, `llm`. */
                    kind?: string;
                    /**
                     * Format: uuid
                     * @description The step of the same run that this one belongs to.
                     */
                    parent_step_id?: string;
                    /** @description What went into the step, as it was sent. */
                    input?: unknown;
                    /** @description The role of the agent that did the step. */
                    agent_role?: string;
                    /** @description The tier of the model, such as `fast` or `strong`. */
                    tier?: string;
                    /** @description The id of the step elsewhere, such as a span id. */
                    external_id?: string;
                    /**
                     * @description Default: `running`.
                     * @enum {string}
                     */
                    status?: "pending" | "running";
                    /** @description What came out, as it was sent. */
                    output?: unknown;
                    /** @description What went wrong, in words. */
                    error?: string;
                    /** @description The class of the error. */
                    error_type?: string;
                    /** @description Tokens that a model read. */
                    tokens_in?: number;
                    /** @description Tokens that a model wrote. */
                    tokens_out?: number;
                    /** @description Finer counts, such as cached or reasoning tokens. */
                    token_details?: {
                        [key: string]: unknown;
                    };
                    /** @description US dollars, at most 10 decimals, as a number or text. */
                    cost_usd?: number | string;
                    /** @description The model, by its own name. */
                    model?: string;
                    /** @description Who served the model. */
                    provider?: string;
                    /** @description How often it was tried again. */
                    retry_count?: number;
                    /** @description Whatever else belongs to it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "step.updated";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Made by the reporter; the same one again is the same thing.
                     */
                    id: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /**
                     * @description Where it stands now.
                     * @enum {string}
                     */
                    status?: "pending" | "running" | "retrying";
                    /** @description What came out, as it was sent. */
                    output?: unknown;
                    /** @description What went wrong, in words. */
                    error?: string;
                    /** @description The class of the error. */
                    error_type?: string;
                    /** @description Tokens that a model read. */
                    tokens_in?: number;
                    /** @description Tokens that a model wrote. */
                    tokens_out?: number;
                    /** @description Finer counts, such as cached or reasoning tokens. */
                    token_details?: {
                        [key: string]: unknown;
                    };
                    /** @description US dollars, at most 10 decimals, as a number or text. */
                    cost_usd?: number | string;
                    /** @description The model, by its own name. */
                    model?: string;
                    /** @description Who served the model. */
                    provider?: string;
                    /** @description How often it was tried again. */
                    retry_count?: number;
                    /** @description Whatever else belongs to it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "step.finished";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Made by the reporter; the same one again is the same thing.
                     */
                    id: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /**
                     * @description How it ended. Default: `failed` with an error, `succeeded` otherwise.
                     * @enum {string}
                     */
                    status?: "succeeded" | "failed" | "skipped" | "cancelled";
                    /** @description How long it took, in milliseconds. Default: from start to end. */
                    latency_ms?: number;
                    /** @description What came out, as it was sent. */
                    output?: unknown;
                    /** @description What went wrong, in words. */
                    error?: string;
                    /** @description The class of the error. */
                    error_type?: string;
                    /** @description Tokens that a model read. */
                    tokens_in?: number;
                    /** @description Tokens that a model wrote. */
                    tokens_out?: number;
                    /** @description Finer counts, such as cached or reasoning tokens. */
                    token_details?: {
                        [key: string]: unknown;
                    };
                    /** @description US dollars, at most 10 decimals, as a number or text. */
                    cost_usd?: number | string;
                    /** @description The model, by its own name. */
                    model?: string;
                    /** @description Who served the model. */
                    provider?: string;
                    /** @description How often it was tried again. */
                    retry_count?: number;
                    /** @description Whatever else belongs to it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "message";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Made by the reporter; the same one again is the same thing.
                     */
                    id: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /**
                     * @description Who speaks.
                     * @enum {string}
                     */
                    role: "system" | "developer" | "user" | "assistant" | "tool";
                    /**
                     * Format: uuid
                     * @description The step that it was said in.
                     */
                    step_id?: string;
                    /** @description The name of the speaker. */
                    name?: string;
                    /** @description What was said. */
                    content?: string | null;
                    /** @description The call that a tool answers. */
                    tool_call_id?: string;
                    /** @description Whatever else came with it. */
                    extra?: unknown;
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "tool_call.started";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Made by the reporter; the same one again is the same thing.
                     */
                    id: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /** @description The tool. */
                    name: string;
                    /**
                     * Format: uuid
                     * @description The step that called it.
                     */
                    step_id?: string;
                    /** @description What it was called with, as it was sent. */
                    arguments?: unknown;
                    /** @description The id that the model gave the call. */
                    provider_call_id?: string;
                    /** @description Whatever else belongs to it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "tool_call.completed";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Made by the reporter; the same one again is the same thing.
                     */
                    id: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /**
                     * @description How it ended. Default: `failed` with an error, `succeeded` otherwise.
                     * @enum {string}
                     */
                    status?: "succeeded" | "failed" | "cancelled";
                    /** @description What it answered, as it was sent. */
                    result?: unknown;
                    /** @description What went wrong, in words. */
                    error?: string;
                    /** @description The class of the error. */
                    error_type?: string;
                    /** @description How long it took, in milliseconds. Default: from start to end. */
                    latency_ms?: number;
                    /** @description Whatever else belongs to it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                } | {
                    /**
                     * @description What the item is.
                     * @constant
                     */
                    type: "checkpoint";
                    /**
                     * Format: uuid
                     * @description The run. One that is not known yet is registered by whatever names it first.
                     */
                    run_id: string;
                    /**
                     * Format: date-time
                     * @description When it happened, by the clock of the reporter.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Made by the reporter; the same one again is the same thing.
                     */
                    id: string;
                    /** @description The agent by its name; on an item below a run only for a run that was not announced yet. */
                    agent?: {
                        /**
                         * Format: name
                         * @description The name of the agent: 1 to 128 characters.
                         */
                        name: string;
                        /** @description What the agent reports through. */
                        adapter: string;
                        /** @description Its configuration; a difference makes a new version. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description What it is for. */
                        description?: string | null;
                    };
                    /** @description What people call it. */
                    label?: string;
                    /**
                     * Format: uuid
                     * @description The step after which it was taken.
                     */
                    step_id?: string;
                    /** @description The state, as it was sent. */
                    state: unknown;
                })[];
            };
        };
        responses: {
            /** @description What became of each item; what is kept is committed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestResponse"];
                };
            };
        };
    };
}
