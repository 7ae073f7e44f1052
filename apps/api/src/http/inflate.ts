import { DomainError } from '@agentflow/domain';
import { createGunzip } from 'node:zlib';
import type { ReceivedBody } from './read-request.pipe.js';

/**
 * The bytes of a body, inflated where it says that it is gzip. It is refused as soon as it is larger than the limit, so a
 * small body never becomes a large one in memory; and when it is cut off, or goes on behind its end.
 */
export async function inflated({ bytes, encoding, share }: ReceivedBody, mostBytes: number): Promise<Buffer> {
  const coding = (encoding ?? 'identity').trim().toLowerCase();
  if (coding === 'identity' || coding === '') return bytes;
  if (coding !== 'gzip') {
    throw new DomainError('unsupported_media_type', {
      detail: 'Content-Encoding has to be gzip, or absent.',
    });
  }
  return gunzip(bytes, mostBytes, (size) => share?.take(size));
}

function gunzip(bytes: Buffer, mostBytes: number, take: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const unzip = createGunzip();
    const chunks: Buffer[] = [];
    let size = 0;
    unzip.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      try {
        if (size > mostBytes) throw tooLarge(mostBytes);
        take(chunk.length);
      } catch (error) {
        unzip.destroy();
        reject(error as Error);
      }
    });
    const fail = (detail: string): void =>
      reject(new DomainError('malformed_json', { faults: [{ pointer: '', detail }] }));
    unzip.on('error', () => fail('The body is no gzip, or cut off.'));
    unzip.on('end', () => {
      if (unzip.bytesWritten < bytes.length) fail('Something follows the gzip.');
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    });
    unzip.end(bytes);
  });
}

function tooLarge(mostBytes: number): DomainError {
  return new DomainError('request_too_large', { detail: `The body is larger than ${mostBytes} bytes.` });
}
