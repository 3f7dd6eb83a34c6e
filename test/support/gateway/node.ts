import type { Server } from 'node:https';
import { duplexOf } from '#adapters/server/kubelet/stream.ts';
import type { Client } from '#lib/client/client.ts';
import { restMapper } from '#lib/client/rest-mapper.ts';
import { typedClient } from '#lib/client/typed-client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { AgentChannelPorts } from '#lib/server/channel/agent-channel.ts';
import { type Kubelet, startKubelet } from '#test/support/kubelet/kubelet.ts';
import { type Pod, TestNode } from '#test/support/kubelet/node.ts';

const NAME = 'n1';
const SERVICE_ACCOUNTS = { group: '', version: 'v1', resource: 'serviceaccounts' };
const PODS = { group: '', version: 'v1', resource: 'pods' };

/** The node `n1`, which can only be reached via a channel. */
export class ChanneledNode implements AsyncDisposable {
  readonly node: TestNode;
  readonly #kubelet: Kubelet;
  readonly #ending = new AbortController();
  /** Handles requests to every address of a pod. */
  server: Server | undefined;

  private constructor(kubelet: Kubelet) {
    this.#kubelet = kubelet;
    this.node = new TestNode(NAME, kubelet);
  }

  static async start(): Promise<ChanneledNode> {
    return new ChanneledNode(await startKubelet());
  }

  /** From now on handles requests to its kubelet whose path begins with `prefix`. */
  on(...behaviour: Parameters<Kubelet['on']>): void {
    this.#kubelet.on(...behaviour);
  }

  /** Accepts a stream from the channel. */
  readonly accept: AgentChannelPorts['accept'] = ({ host }, stream) => {
    if (host === NAME) this.#kubelet.accept(duplexOf(stream));
    else if (this.server === undefined) throw new Error(`no server at ${host}`);
    else this.server.emit('connection', duplexOf(stream));
  };

  /** Registers the node, and runs pods in the namespace `default`. The pods are specs by name. */
  async run(client: Client, pods: Readonly<Record<string, JsonObject>>): Promise<void> {
    const { signal } = this.#ending;
    await this.node.join(typedClient({ client, mapper: restMapper(client), fieldManager: 'test', signal }));
    await client.create(SERVICE_ACCOUNTS, { metadata: { name: 'default', namespace: 'default' } });
    for (const [name, given] of Object.entries(pods)) {
      const metadata = { name, namespace: 'default' };
      const spec = { nodeName: NAME, ...given };
      await client.create(PODS, { metadata, spec });
      await this.node.run({ apiVersion: 'v1', kind: 'Pod', metadata, spec: spec as unknown as Pod['spec'] });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.node[Symbol.asyncDispose]();
    await this.#kubelet.close();
  }
}
