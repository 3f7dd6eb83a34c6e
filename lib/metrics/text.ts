import type { Collector, Family, Labels, Sample } from './family.ts';
import { formatNumber } from './format-number.ts';

/** Media type of what `expose` makes: Prometheus' text format. */
export const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/** All that the collectors tell, by name, in Prometheus' text format. Metrics without a series are left out. */
export async function expose(collectors: readonly Collector[]): Promise<string> {
  const families = (await Promise.all(collectors.map(async (collector) => collector.collect()))).flat();
  const told = families.filter(({ samples }) => samples.length > 0);
  return told
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(familyText)
    .join('');
}

function familyText({ name, help, type, samples }: Family): string {
  const lines = samples.map((sample) => sampleText(name, sample));
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function sampleText(name: string, { suffix = '', labels, value }: Sample): string {
  return `${name}${suffix}${labelText(labels)} ${formatNumber(value)}\n`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
