/**
 * Lets a process that a test started meet an error that nobody catches: `node --import` this, and send SIGUSR2 for an
 * exception or SIGWINCH for a rejection. What is thrown carries what must not be told.
 */
const secret = process.env.TEST_SECRET;

process.on('SIGUSR2', () => {
  const error = new TypeError('thrown where nobody listens');
  throw Object.assign(error, {
    detail: secret,
    config: { headers: { authorization: secret } },
    cause: secret,
  });
});

process.on('SIGWINCH', () => {
  // As `pg` reports a duplicate: the text of such an error quotes values.
  const error = new Error(`duplicate key value violates unique constraint: ${secret}`);
  void Promise.reject(Object.assign(error, { code: '23505', detail: secret, parameters: [secret] }));
});
