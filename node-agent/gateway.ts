import { connectGateway } from '#adapters/server/channel/connect-gateway.ts';
import { type ApiClientOptions, sendRequest } from '#lib/client/api-client.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { AgentGateway } from '#lib/server/channel/gateway/gateway-agent.ts';
import { decodeTicketAnswer, type TicketAnswer } from '#lib/server/channel/gateway/ticket-office.ts';
import { type AgentHello, VERSION } from '#lib/server/channel/hello.ts';

const JSON_TYPE = 'application/json';
/** The status that a server returns if it accepts the connections of agents itself. */
const METHOD_NOT_ALLOWED = 405;

/** The node's connection to a gateway, if its API server names one. */
export function agentGateway(
  requests: ApiClientOptions,
  node: string,
  hello: Omit<AgentHello, 'version' | 'features'>,
): AgentGateway {
  const target = `/apis/node.davit.dev/v1/nodes/${encodeURIComponent(node)}/channel`;
  return {
    connect: connectGateway,
    async ticket(): Promise<TicketAnswer | undefined> {
      try {
        const body = { ...hello, instance: { ...hello.instance }, version: VERSION, features: [] };
        return decodeTicketAnswer(await sendRequest(requests, { method: 'POST', target, accept: JSON_TYPE, body }));
      } catch (error) {
        if (error instanceof StatusError && error.code === METHOD_NOT_ALLOWED) return undefined;
        throw error;
      }
    },
  };
}
