import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:https';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { diskFiles } from '#adapters/server/files/disk-files.ts';
import { placeOf } from '#adapters/server/http/kubeconfig.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { eventually } from '#test/support/eventually.ts';
import type { Answer, Step } from './case.ts';
import { comparable } from './comparable.ts';

/** Time-out in ms for a server's response. */
const PATIENCE = 30_000;

/** A server to compare: any Kubernetes API server in a kubeconfig, with that kubeconfig's user. */
export class Peer implements Disposable {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #url: string;
  readonly #options: RequestOptions;
  readonly #token: (() => Promise<string>) | undefined;

  constructor(url: string, options: RequestOptions, token?: () => Promise<string>) {
    this.#url = url;
    this.#options = options;
    this.#token = token;
  }

  /** Throws TypeError for a kubeconfig without a server. */
  static of(kubeconfig: string): Peer {
    const { remote } = placeOf(readFileSync(kubeconfig, 'utf8'), diskFiles(dirname(resolve(kubeconfig))));
    const { certificate, key } = remote.credentials?.certificate ?? {};
    const tls = {
      ...(remote.caBundle === '' ? {} : { ca: remote.caBundle }),
      ...(certificate === undefined ? {} : { cert: certificate, key }),
      rejectUnauthorized: remote.insecure !== true,
    };
    const token = remote.credentials?.token?.bind(remote.credentials);
    return new Peer(remote.url.replace(/\/$/, ''), tls, token);
  }

  /**
   * The response in comparable form. Rejects if the server disconnects, does not respond, or never reaches the state that the step waits
   * for.
   */
  async ask(step: Step, namespace: string): Promise<Answer> {
    const polled = async (): Promise<Answer> => {
      const answer = await this.#once(step, namespace);
      if (step.until?.(answer) === false) throw new Error(`${step.method} ${step.path}: waited in vain`);
      return answer;
    };
    return step.until === undefined ? this.#once(step, namespace) : eventually(polled);
  }

  /** The unchanged body, for bodies that are not JSON or are too large to compare. Rejects for any status but 200. */
  async raw(path: string, accept: string): Promise<string> {
    const { status, text } = await this.#send({ method: 'GET', path, headers: { accept } }, '');
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text.slice(0, 200)}`);
    return text;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  async #once(step: Step, namespace: string): Promise<Answer> {
    const { status, warnings, text } = await this.#send(step, namespace);
    return { status, warnings, body: parsed(text) };
  }

  async #send({ method, path, headers = {}, body }: Step, namespace: string) {
    const token = await this.#token?.();
    const bytes = body === undefined ? undefined : Buffer.from(body.replaceAll('{ns}', namespace));
    const {
      promise,
      resolve: done,
      reject,
    } = Promise.withResolvers<{ status: number; warnings: string[]; text: string }>();
    const sent = request(
      `${this.#url}${path.replaceAll('{ns}', namespace)}`,
      {
        ...this.#options,
        agent: this.#agent,
        method,
        signal: AbortSignal.timeout(PATIENCE),
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(bytes === undefined ? {} : { 'content-length': bytes.length }),
          ...headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const warnings = [incoming.headers['warning'] ?? []].flat();
          done({ status: incoming.statusCode ?? 0, warnings, text: Buffer.concat(chunks).toString() });
        });
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
    return promise;
  }
}

function parsed(text: string): unknown {
  try {
    return comparable(JSON.parse(text) as Json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return comparable(/^(?:apiVersion|kind): /.test(text) ? (parse(text) as Json) : text);
  }
}
