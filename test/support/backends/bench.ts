import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { afterAll, beforeAll, expect } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { KubeletOptions } from '#local/backends.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Kubelet, startKubelet } from '#test/support/kubelet/kubelet.ts';
import { type Answer, type Reached, type Requester, requester } from '#test/support/requester.ts';

export const PODS = '/api/v1/namespaces/default/pods';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** A server that reaches kubelets, in any composition. */
export interface Reaching extends Reached {
  /** Its audit log so far at level Metadata: lines of JSON. */
  auditLog(): Promise<string>;
  /** Errors that it has reported so far. */
  readonly faults: readonly unknown[];
  close(): Promise<void>;
}

/** Starts a server without objects. */
export type Start = (options: KubeletOptions) => Promise<Reaching>;

/** A server, a kubelet and its node n1. On the node are the pods `web` with the container main, and `two` with a and b. */
export class Bench {
  readonly start: Start;
  #kubelet: Kubelet | undefined;
  #server: Reaching | undefined;
  #request: Requester | undefined;
  #isOver = false;

  constructor(start: Start) {
    this.start = start;
    beforeAll(() => this.#open());
    afterAll(() => this.#close());
  }

  get kubelet(): Kubelet {
    return given(this.#kubelet);
  }

  get server(): Reaching {
    return given(this.#server);
  }

  /** Sends a request as the administrator. */
  get request(): Requester {
    return given(this.#request);
  }

  /** The status of a response, with its text or message. */
  async ask(...asked: Parameters<Requester>): Promise<string> {
    return textOf(await this.request(...asked));
  }

  aNode(name: string, status: object): Promise<void> {
    return this.#made('/api/v1/nodes', { metadata: { name }, status: status as JsonObject });
  }

  aPod(name: string, nodeName: string, ...containers: string[]): Promise<void> {
    const spec = { nodeName, containers: containers.map((one) => ({ name: one, image: 'i' })) };
    return this.#made(PODS, { metadata: { name }, spec });
  }

  /** Grants a user the verbs on these resources of the core group. */
  async grant(name: string, resources: string[], verbs: string[]): Promise<void> {
    const apiGroup = 'rbac.authorization.k8s.io';
    const roleRef = { apiGroup, kind: 'ClusterRole', name };
    await this.#made(`${RBAC}/clusterroles`, { metadata: { name }, rules: [{ apiGroups: [''], resources, verbs }] });
    await this.#made(`${RBAC}/clusterrolebindings`, {
      metadata: { name },
      roleRef,
      subjects: [{ apiGroup, kind: 'User', name }],
    });
  }

  /** A GET as the administrator that does not wait for the response. It ends when the signal aborts. */
  get(path: string, signal?: AbortSignal) {
    const { url, adminToken, certificateAuthority: ca } = this.server;
    const options = { ca, headers: { authorization: `Bearer ${adminToken}` }, ...(signal && { signal }) };
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    return request(`${url}${path}`, options)
      .on('error', () => {})
      .end();
  }

  /** A connection to `web` that requests an upgrade from HTTP to the protocol. */
  async stream(path: string, protocol: string, token = this.server.adminToken): Promise<Socket> {
    const { url, certificateAuthority: ca } = this.server;
    const { protocol: scheme, port } = new URL(url);
    const to = { host: '127.0.0.1', port: Number(port) };
    const [socket, ready] =
      scheme === 'https:' ? [tlsConnect({ ...to, ca }), 'secureConnect'] : [connect(to), 'connect'];
    await once(socket, ready);
    socket.write(
      `POST ${PODS}/web/${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\nconnection: Upgrade\r\nupgrade: ${protocol}\r\n\r\n`,
    );
    return socket;
  }

  /** Stages and codes of the audit events for requests whose URI contains the text. */
  async audited(uri: string): Promise<string[]> {
    return (await this.server.auditLog())
      .split('\n')
      .filter((line) => line.includes(uri))
      .map((line) => JSON.parse(line) as { stage: string; responseStatus?: { code: number } })
      .map(({ stage, responseStatus }) => `${stage} ${responseStatus?.code ?? ''}`.trim());
  }

  async #open(): Promise<void> {
    this.#kubelet = await startKubelet();
    this.#server = await this.start({ ...this.#kubelet.options, timeout: 2000 });
    this.#request = requester(this.#server);
    await this.#needed('/api/v1/namespaces', 'default');
    await this.#needed('/api/v1/namespaces/default/serviceaccounts', 'default');
    await this.aNode('n1', this.#kubelet.nodeStatus);
    await this.aPod('web', 'n1', 'main');
    await this.aPod('two', 'n1', 'a', 'b');
  }

  /** Stops the server. */
  async end(): Promise<void> {
    await this.#server?.close();
    this.#isOver = true;
  }

  async #close(): Promise<void> {
    if (!this.#isOver) await this.end();
    await this.#kubelet?.close();
    expect(this.#server?.faults).toEqual([]);
  }

  async #made(path: string, object: JsonObject): Promise<void> {
    const { status, body } = await this.request('POST', path, object);
    expect(status, String(body['message'])).toBe(201);
  }

  /** Creates an object that another composition of the server creates at startup. */
  async #needed(path: string, name: string): Promise<void> {
    const { status, body } = await this.request('POST', path, { metadata: { name } });
    expect([201, 409], String(body['message'])).toContain(status);
  }
}

function given<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the bench is not open');
  return part;
}

export const textOf = ({ status, body }: Answer): string => `${status} ${String(body['message'] ?? body['text'])}`;

/** The status of a Node whose kubelet listens on this machine. */
export const withPort = (port: number): object => ({
  addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
  daemonEndpoints: { kubeletEndpoint: { Port: port } },
});

/** Reads until the text matches. */
export async function received(socket: Socket, pattern: RegExp): Promise<void> {
  let text = '';
  const collect = (chunk: Buffer): void => void (text += chunk.toString());
  socket.on('data', collect);
  await eventually(() => expect(text).toMatch(pattern));
  socket.off('data', collect);
}
