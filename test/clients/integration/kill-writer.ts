import type { ApiConnection } from './api-connection.ts';

/**
 * The possible contents of a ConfigMap after the kill: the last acknowledged one, or one from a write without a response. Undefined means
 * that it does not exist.
 */
export type Expected = ReadonlySet<string | undefined>;

/** Creates, updates and deletes its own ConfigMaps, one request at a time, and records acknowledged writes. */
export class KillWriter {
  readonly expected = new Map<string, Expected>();
  acknowledged = 0;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** Writes until the connection breaks; throws any response that is not a success. */
  async write(api: ApiConnection): Promise<void> {
    for (let round = 0; ; round++) {
      const name = `${this.#name}-${round}`;
      const collection = '/api/v1/namespaces/default/configmaps';
      if (!(await this.#attempt(name, undefined, 'first', () => api.send('POST', collection, object(name, 'first')))))
        return;
      if (
        !(await this.#attempt(name, 'first', 'second', () =>
          api.send('PUT', `${collection}/${name}`, object(name, 'second')),
        ))
      )
        return;
      if (round % 3 !== 0) continue;
      if (!(await this.#attempt(name, 'second', undefined, () => api.send('DELETE', `${collection}/${name}`)))) return;
    }
  }

  async #attempt(
    name: string,
    before: string | undefined,
    after: string | undefined,
    send: () => Promise<{ status: number; text: string }>,
  ): Promise<boolean> {
    this.expected.set(name, new Set([before, after]));
    const answer = await send().catch(() => undefined);
    if (answer === undefined) return false;
    if (answer.status >= 300) throw new Error(`${name}: ${answer.status} ${answer.text}`);
    this.expected.set(name, new Set([after]));
    this.acknowledged++;
    return true;
  }
}

const PADDING = 'x'.repeat(2000);

function object(name: string, stage: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { name, stage, PADDING } };
}

/** The stage of a ConfigMap if its other data is intact. */
export function stageOf({ metadata, data }: { metadata: { name: string }; data: Record<string, string> }): string {
  return data['name'] === metadata.name && data['PADDING'] === PADDING ? (data['stage'] ?? 'no stage') : 'torn';
}
