import type { Decision } from '#lib/node/networkpolicy/evaluate.ts';
import type { PolicyName, PolicyProblem } from '#lib/node/networkpolicy/policy.ts';
import type { End, Explained, Explanation } from './netpol-gather.ts';
import { plain } from './table.ts';

/** Prints the verdict first, then each side with its policies and the rule that allows the connection. */
export function explanationText({ answers, problems }: Explanation): string {
  const lines = [...answers.flatMap(answerLines), ...problems.map(problemLine)];
  return lines.map((line) => `${line}\n`).join('');
}

function answerLines(answer: Explained): string[] {
  const { source, destination, from, to, port, protocol, allowed, egress, ingress } = answer;
  return [
    plain(
      `${endText(source, from)} to ${endText(destination, to)}, port ${port} ${protocol}: ${allowed ? 'allowed' : 'denied'}`,
    ),
    `  ${plain(`egress of ${source.name}: ${decisionText(egress, source)}`)}`,
    `  ${plain(`ingress of ${destination.name}: ${decisionText(ingress, destination)}`)}`,
  ];
}

const problemLine = ({ policy, field, message }: PolicyProblem): string =>
  plain(`note: ${nameText(policy)}: ${field} ${message}, and allows nothing`);
const endText = ({ name }: End, address: string): string => (name === address ? name : `${name} (${address})`);
const nameText = ({ namespace, name }: PolicyName): string => `${namespace}/${name}`;

function decisionText({ reason, selecting, rule }: Decision, { pod }: End): string {
  const policies = selecting.map(nameText).join(', ');
  switch (reason) {
    case 'Outside':
      return pod === undefined
        ? 'allowed, it is no pod'
        : 'allowed, policies do not apply to a pod in the network of its host';
    case 'Itself':
      return 'allowed, a pod always reaches itself';
    case 'OwnNode':
      return 'allowed, a pod and its node always reach each other';
    case 'NotIsolated':
      return 'allowed, no policy isolates it';
    case 'Rule':
      return `allowed by ${rule?.field ?? ''} of ${rule === undefined ? '' : nameText(rule)}; isolated by ${policies}`;
    case 'NoRule':
      return `denied, no rule allows it; isolated by ${policies}`;
  }
}
