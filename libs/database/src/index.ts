export { createDataSource, type PoolOptions } from './data-source.js';
export { Database, DEFAULT_LIMITS, type TransactionLimits } from './database.js';
export { databaseFault, violatedConstraint, type DatabaseFault } from './postgres-error.js';
export { organizationScope, scopeColumns, scopeId, type Scope } from './scope.js';
export { sql, type Statement } from './statement.js';
export { Transaction, type Parameter } from './transaction.js';
