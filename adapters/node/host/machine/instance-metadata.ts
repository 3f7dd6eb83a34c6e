import { request } from 'node:http';
import type { InstanceMetadata } from '#lib/server/authentication/aws/instance-identity.ts';

/** The metadata service of EC2, at its link-local address. */
export const METADATA_ENDPOINT = 'http://169.254.169.254';

/** Time-out of a response in ms. The size of a response and the length of a session are limited too. */
const TIMEOUT = 5000;
const MAX_BYTES = 64 * 1024;
const SESSION_SECONDS = 300;
const [TOKEN, SECONDS] = ['x-aws-ec2-metadata-token', 'x-aws-ec2-metadata-token-ttl-seconds'];

interface Asked {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Version 2 of the metadata service (IMDSv2). Each value is read within a session, so a redirected request cannot obtain one. */
export class HttpInstanceMetadata implements InstanceMetadata {
  readonly #endpoint: string;

  /** `endpoint` is an http URL without a path. */
  constructor(endpoint: string = METADATA_ENDPOINT) {
    this.#endpoint = endpoint;
  }

  async get(path: string): Promise<string> {
    const headers = { [SECONDS]: String(SESSION_SECONDS) };
    const session = await this.#answer({ method: 'PUT', path: '/latest/api/token', headers });
    return this.#answer({ method: 'GET', path, headers: { [TOKEN]: session } });
  }

  /** The text of a response. Does not follow redirects or use a proxy. */
  #answer({ method, path, headers }: Asked): Promise<string> {
    const signal = AbortSignal.timeout(TIMEOUT);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const fail = (why: string): void => reject(new Error(`${method} ${path} of the instance's metadata: ${why}`));
    const broken = (error: Error): void => fail(signal.aborted ? `no answer within ${TIMEOUT} ms` : error.message);
    const asked = request(new URL(path, this.#endpoint), { method, headers, signal, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      let length = 0;
      answer.on('error', broken);
      answer.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= MAX_BYTES) chunks.push(chunk);
        else asked.destroy(new Error(`the answer is longer than ${MAX_BYTES} bytes`));
      });
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(Buffer.concat(chunks).toString().trim());
        else fail(`the answer is ${answer.statusCode}`);
      });
    });
    asked.on('error', broken);
    asked.end();
    return promise;
  }
}
