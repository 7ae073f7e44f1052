import type { FastifyReply } from 'fastify';

const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; " +
  "frame-ancestors 'none'";

/** Sends a page or a part of one, under a policy that lets nothing be fetched from elsewhere. */
export function sendPage(reply: FastifyReply, type: string, content: string | Buffer): void {
  void reply
    .headers({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' })
    .type(type)
    .serializer((text: string) => text)
    .send(content);
}
