import type { Conntrack, Flow } from '#lib/node/proxy/conntrack/cleanup.ts';
import { addressOf } from '#lib/node/proxy/ip.ts';
import type { IPFamily } from '#lib/node/proxy/types.ts';
import { runTool } from './run-tool.ts';

const familyName = (family: IPFamily): string => (family === 'IPv4' ? 'ipv4' : 'ipv6');

/** The flows of this process's network namespace, with `conntrack` 1.4.7 or newer. */
export const conntrack: Conntrack = {
  async list(family) {
    const lines = await runTool('conntrack', ['-L', '-p', 'udp', '-f', familyName(family)], '');
    return lines.split('\n').flatMap((line) => flowIn(line, family) ?? []);
  },

  async delete(family, flows) {
    if (flows.length > 0) await runTool('conntrack', ['-R', '-'], flows.map((flow) => deletion(flow, family)).join(''));
  },
};

/** Undefined if the line has another format. */
function flowIn(line: string, family: IPFamily): Flow | undefined {
  const fields = [...line.matchAll(/\b(src|dst|sport|dport)=(\S+)/g)].map(([, name, value = '']) => ({ name, value }));
  const [source, destination, sourcePort, destinationPort, replySource, , replySourcePort] = fields;
  if (fields.map(({ name }) => name).join(' ') !== FORM) return undefined;
  const addresses = [source, destination, replySource].map((field) => addressOf(field?.value ?? '', family));
  const [from, to, answering] = addresses;
  if (from === undefined || to === undefined || answering === undefined) return undefined;
  return {
    source: from,
    sourcePort: Number(sourcePort?.value),
    destination: to,
    destinationPort: Number(destinationPort?.value),
    replySource: answering,
    replySourcePort: Number(replySourcePort?.value),
  };
}

const FORM = 'src dst sport dport src dst sport dport';

const deletion = (flow: Flow, family: IPFamily): string =>
  `-D -f ${familyName(family)} -p udp --orig-src ${flow.source} --orig-dst ${flow.destination} --sport ${flow.sourcePort} --dport ${flow.destinationPort}\n`;
