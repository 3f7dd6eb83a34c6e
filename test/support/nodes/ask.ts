import { type RequestOptions, request } from 'node:https';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { comparable } from '#test/unit/differential/comparable.ts';
import type { Asked } from './asked.ts';

/** A server, and the user that sends the requests. */
export interface Where {
  readonly url: string;
  readonly options: Omit<RequestOptions, 'headers'>;
}

/** A response without details that differ between runs: the status, and the reason for an error. */
export type Told = string;

/** Uids and versions of existing objects, by path. */
export interface Known {
  readonly uid: Map<string, string>;
  readonly version: Map<string, string>;
}

/** Sends requests to a server, and records the uids and versions in its responses. */
export class Asker {
  readonly #where: Where;
  readonly #known: Known;

  constructor(where: Where, known: Known) {
    this.#where = where;
    this.#known = known;
  }

  async ask({ method, path, body, type = 'application/json', shown }: Asked): Promise<Told> {
    const text = body === undefined ? undefined : this.#filled(JSON.stringify(body));
    const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) };
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
    const { options, url } = this.#where;
    const sent = request(`${url}${path}`, { ...options, method, headers });
    sent.on('error', reject).on('response', (answer) => {
      const status = answer.statusCode ?? 0;
      if (status === 200 && path.includes('watch=true')) {
        sent.destroy();
        return resolve({ status, text: '' });
      }
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      answer.on('end', () => resolve({ status, text: Buffer.concat(parts).toString() }));
    });
    sent.end(text);
    const answer = await promise;
    const told = this.#told(path, answer);
    return shown === true ? `${answer.status} ${masked(answer.text)}` : told;
  }

  #filled(text: string): string {
    return text.replace(/\{(uid|version) of ([^}]+)\}/g, (_, what: keyof Known, path: string) => {
      return this.#known[what].get(path) ?? 'none';
    });
  }

  #told(path: string, { status, text }: { status: number; text: string }): Told {
    const body = parsed(text);
    if (status < 400) {
      const { name = '', uid, resourceVersion } = (body['metadata'] ?? {}) as Record<string, string | undefined>;
      const place = path.endsWith(`/${name}`) ? path : `${path}/${name}`;
      if (uid !== undefined) this.#known.uid.set(place, uid);
      if (resourceVersion !== undefined) this.#known.version.set(place, resourceVersion);
      const { allowed, authenticated } = (body['status'] ?? {}) as Record<string, Json | undefined>;
      return allowed === undefined && authenticated === undefined
        ? String(status)
        : `${status} ${JSON.stringify(body['status'])}`;
    }
    const message = String(body['message'] ?? text.trim());
    return `${status} ${[...this.#known.uid.values()].reduce((shown, uid) => shown.replaceAll(uid, 'UID'), message)}`;
  }
}

/** Masks uids in the whole text, because they are also keys of managed fields. */
const masked = (text: string): string =>
  JSON.stringify(comparable(parsed(text))).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>');

function parsed(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
