/** How much longer than usual property and model tests look: `AGENTFLOW_TEST_EFFORT=20` looks twenty times as long. */
export const EFFORT = Math.max(1, Number(process.env.AGENTFLOW_TEST_EFFORT ?? 1));
