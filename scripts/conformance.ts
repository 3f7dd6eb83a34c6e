import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** The fields of ginkgo's JSON report that this script reads. */
interface Report {
  readonly EndTime: string;
  readonly SpecReports: readonly Spec[];
}
interface Spec {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly LeafNodeType: string;
  readonly State: string;
  readonly RunTime: number;
  readonly Failure?: { readonly Message: string };
}

const DOCUMENT = 'docs/conformance.md';
const BEGIN = '<!-- results: written by npm run conformance -->';
const END = '<!-- end of results -->';

const { values } = parseArgs({
  options: { report: { type: 'string', multiple: true }, version: { type: 'string', default: 'v1.36.2' } },
});
if (values.report === undefined) {
  console.error('usage: npm run conformance -- --report FILE [--report FILE …] [--version v1.36.2]');
  process.exit(2);
}

const reports = values.report.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as Report[]);
const ran = reports
  .flatMap(({ SpecReports }) => SpecReports)
  .filter((spec) => spec.LeafNodeType === 'It' && spec.State !== 'skipped');
/** If a test is in several reports, the last one counts. */
const specs = [...new Map(ran.map((spec) => [nameOf(spec), spec])).values()];
const date =
  reports
    .map(({ EndTime }) => EndTime.slice(0, 10))
    .sort()
    .at(-1) ?? '';
const document = readFileSync(DOCUMENT, 'utf8');
const [head = '', rest = ''] = document.split(BEGIN);
writeFileSync(DOCUMENT, `${head}${BEGIN}\n\n${results()}\n${END}${rest.split(END)[1] ?? ''}`);

function results(): string {
  const passed = specs.filter(({ State }) => State === 'passed');
  const rows = specs.map(row).sort();
  const summary = `Suite ${values.version}, ${date}: ${passed.length} of ${specs.length} passed.`;
  return [summary, '', '| test | result | why |', '|---|---|---|', ...rows, ''].join('\n');
}

function nameOf(spec: Spec): string {
  return [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' ');
}

function row(spec: Spec): string {
  const why = spec.State === 'passed' ? '' : (spec.Failure?.Message ?? '').split('\n').join(' ').slice(0, 160);
  return `| ${cell(nameOf(spec))} | ${spec.State} | ${cell(why)} |`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
}
