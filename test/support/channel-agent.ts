import { systemClock } from '#adapters/clock.ts';
import { connectChannel } from '#adapters/server/channel/connect.ts';
import type { Authority } from '#lib/controllers/certificates/issue.ts';
import { type AgentChannelPorts, type ChannelState, runAgentChannel } from '#lib/server/channel/agent-channel.ts';
import type { Grant } from '#lib/server/channel/grant.ts';
import type { RunningApiserver } from '#local/start-apiserver.ts';

/** The server that a test's agent connects to. */
interface AgentOptions {
  readonly server: Pick<RunningApiserver, 'url' | 'certificateAuthority'>;
  /** The CA that signs the agent's certificate, which the server must trust for clients. */
  readonly authority: Authority;
  readonly node: string;
  /** Defaults to the node's own user. */
  readonly user?: string;
  readonly accept: AgentChannelPorts['accept'];
  /** The headers of a request without a client certificate. Default none. */
  signed?(): Readonly<Record<string, string>>;
}

/** The channel of a node agent that runs no pods. `await using` closes it. */
export class ChannelAgent implements AsyncDisposable {
  readonly states: ChannelState[] = [];
  /** The purposes for which the server opened its streams. */
  readonly grants: Grant[] = [];
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;

  private constructor(running: (agent: ChannelAgent, signal: AbortSignal) => Promise<void>) {
    this.#running = running(this, this.#ending.signal);
  }

  /** Starts to connect. */
  static async start({ server, authority, node, user, accept, ...signing }: AgentOptions): Promise<ChannelAgent> {
    const name = user ?? `system:node:${node}`;
    const pair = await authority.issue({ name, organizations: ['system:nodes'] });
    const to = { url: server.url, caBundle: server.certificateAuthority, ...pair, ...signing };
    return new ChannelAgent((agent, signal) =>
      runAgentChannel(
        {
          clock: systemClock,
          node,
          hello: { session: `${node} ${Math.random()}`, instance: { key: node, machineId: '', bootId: '' } },
          random: Math.random,
          connect: (message, ending) => connectChannel(to, node, message, ending),
          accept(grant, stream) {
            agent.grants.push(grant);
            return accept(grant, stream);
          },
          ring: () => undefined,
          report: (state) => void agent.states.push(state),
        },
        signal,
      ),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }
}
