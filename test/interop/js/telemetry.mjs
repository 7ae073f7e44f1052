import { NodeSDK } from '@opentelemetry/sdk-node';

/** Everything that it does is said by the variables of its environment. */
const sdk = new NodeSDK();
sdk.start();

/** Sends what is left, as a program has to before it ends. */
export const shutdown = () => sdk.shutdown();
