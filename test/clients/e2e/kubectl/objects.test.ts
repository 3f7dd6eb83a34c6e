import { expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { describeKubectls } from './kubectl.ts';

interface ConfigMap {
  readonly metadata: {
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  readonly data?: Record<string, string>;
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

const configMap = (name: string, data: Record<string, string>): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

describeKubectls('objects', (kubectl) => {
  test('create: from a file with several documents, and again', async () => {
    const file = kubectl().file(
      'several.yaml',
      'apiVersion: v1\nkind: Namespace\nmetadata: { name: several }\n---\n' +
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: one, namespace: several }\ndata: { key: value }\n---\n' +
        'apiVersion: v1\nkind: Secret\nmetadata: { name: two, namespace: several }\nstringData: { word: open }\n',
    );
    expect(await kubectl().run(`create -f ${file}`)).toBe(
      'namespace/several created\nconfigmap/one created\nsecret/two created',
    );
    expect(await kubectl().run("get secret two -n several -o 'jsonpath={.data.word} {.type}'")).toBe('b3Blbg== Opaque');
    expect(await kubectl().fails(`create -f ${file}`)).toContain(
      `Error from server (AlreadyExists): error when creating "${file}": configmaps "one" already exists`,
    );
  });

  test('create: generators, dry runs and mistakes', async () => {
    expect(await kubectl().run('create configmap literal --from-literal=a=1 --from-literal=b=2')).toBe(
      'configmap/literal created',
    );
    expect(await kubectl().run('create configmap unborn --from-literal=a=1 --dry-run=server')).toBe(
      'configmap/unborn created (server dry run)',
    );
    expect(await kubectl().fails('get configmap unborn')).toBe(
      'Error from server (NotFound): configmaps "unborn" not found',
    );
    expect(await kubectl().fails('create configmap Wrong --from-literal=a=1')).toContain(
      'metadata.name: Invalid value: "Wrong": a lowercase RFC 1123 subdomain',
    );
    expect(await kubectl().run('create serviceaccount robot')).toBe('serviceaccount/robot created');
    expect(await kubectl().run('create deployment web --image=example/web --replicas=2')).toBe(
      'deployment.apps/web created',
    );
    expect(await kubectl().run('create job once --image=example/once -- true')).toBe('job.batch/once created');
    expect(await kubectl().run('create service clusterip web --tcp=80:8080')).toBe('service/web created');
  });

  test('create: an unknown field is refused, or warned of, or dropped', async () => {
    const input = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"odd"},"data":{},"colour":"red"}';
    expect(await kubectl().fails('create -f -', { input })).toContain('strict decoding error: unknown field "colour"');
    const warned = await kubectl().try('create --validate=warn -f -', { input });
    expect([warned.code, warned.stderr.trim()]).toEqual([0, 'Warning: unknown field "colour"']);
    expect(
      await kubectl().run('create --validate=ignore --dry-run=server -o name -f -', {
        input: input.replace('odd', 'odder'),
      }),
    ).toBe('configmap/odder');
  });

  test('get: default, wide, name, yaml, json, custom columns, sorted', async () => {
    await kubectl().run('create namespace shown');
    await kubectl().run('create configmap b -n shown --from-literal=x=1 --from-literal=y=2');
    await kubectl().run('create configmap a -n shown --from-literal=x=1');
    const table = (await kubectl().run('get configmaps a b -n shown -o wide'))
      .split('\n')
      .map((line) => line.split(/\s+/).slice(0, 2));
    expect(table).toEqual([
      ['NAME', 'DATA'],
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(await kubectl().run('get cm a b -n shown -o name')).toBe('configmap/a\nconfigmap/b');
    expect(await kubectl().run('get cm a -n shown -o yaml')).toMatch(
      /^apiVersion: v1\ndata:\n {2}x: "1"\nkind: ConfigMap\nmetadata:\n {2}creationTimestamp: ".+Z"\n {2}name: a\n {2}namespace: shown\n {2}resourceVersion: "\d+"\n {2}uid: [\da-f-]{36}$/,
    );
    expect(
      await kubectl().run('get cm a b -n shown --no-headers -o custom-columns=N:.metadata.name,Y:.data.y'),
    ).toMatch(/^a +<none>\nb +2$/);
    expect(
      (await kubectl().json<{ items: ConfigMap[] }>('get cm -n shown --sort-by=.metadata.name')).items.map(
        ({ data }) => data?.['y'],
      ),
    ).toEqual(expect.arrayContaining([undefined, '2']));
  });

  test("get: pods and deployments have upstream's columns", async () => {
    await kubectl().run('create namespace columns');
    await kubectl().run('run -n columns plain --image=example/plain --restart=Never');
    await kubectl().run('create deployment -n columns three --image=example/three --replicas=3');
    expect(await kubectl().run('get pods -n columns --field-selector metadata.name=plain')).toMatch(
      /^NAME +READY +STATUS +RESTARTS +AGE\nplain +0\/1 +Pending +0 +(\d+[ms])+$/,
    );
    await kubectl().run('wait deployment/three -n columns --for=jsonpath={.status.updatedReplicas}=3 --timeout=60s');
    expect(await kubectl().run('get deployment three -n columns -o wide')).toMatch(
      /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE +CONTAINERS +IMAGES +SELECTOR\nthree +0\/3 +3 +0 +(\d+[ms])+ +three +example\/three +app=three$/,
    );
    expect(await kubectl().run('get namespaces default --show-labels')).toMatch(
      /^NAME +STATUS +AGE +LABELS\ndefault +Active +(\d+[ms])+ +kubernetes.io\/metadata.name=default$/,
    );
  });

  test('get: by label and by field', async () => {
    await kubectl().run('create namespace picked');
    for (const name of ['red', 'green', 'blue']) {
      await kubectl().run('create -n picked -f -', {
        input: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { colour: name } } }),
      });
    }
    expect(await kubectl().run("get cm -n picked -o name -l 'colour in (red,blue)'")).toBe(
      'configmap/blue\nconfigmap/red',
    );
    expect(await kubectl().run("get cm -n picked -o name -l 'colour,colour!=red' --chunk-size=1")).toBe(
      'configmap/blue\nconfigmap/green',
    );
    expect(await kubectl().run('get cm -n picked -o name --field-selector metadata.name=green')).toBe(
      'configmap/green',
    );
    expect(await kubectl().fails('get cm -n picked --field-selector data.x=1')).toContain(
      '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
    expect(await kubectl().run('get pods -n picked --field-selector status.phase!=Running,spec.nodeName=')).toBe('');
  });

  test("apply: a three-way merge keeps others' fields and drops its own former ones", async () => {
    const file = kubectl().file('applied.json', configMap('applied', { kept: '1', dropped: '2' }));
    expect(await kubectl().run(`apply -f ${file}`)).toBe('configmap/applied created');
    expect(await kubectl().run(`apply -f ${file}`)).toBe('configmap/applied unchanged');
    await kubectl().run(`patch configmap applied --type merge -p '{"data":{"theirs":"3"}}'`);
    kubectl().file(file, configMap('applied', { kept: '4' }));
    expect(await kubectl().run(`apply -f ${file}`)).toBe('configmap/applied configured');
    const { data, metadata } = await kubectl().json<ConfigMap>('get configmap applied');
    expect(data).toEqual({ kept: '4', theirs: '3' });
    expect(JSON.parse(metadata.annotations?.[LAST_APPLIED] ?? '')).toMatchObject({ data: { kept: '4' } });
  });

  test('apply: a built-in list is merged by its key', async () => {
    const deployment = (containers: object[]) =>
      JSON.stringify({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'merged' },
        spec: {
          selector: { matchLabels: { app: 'merged' } },
          template: { metadata: { labels: { app: 'merged' } }, spec: { containers } },
        },
      });
    const file = kubectl().file(
      'merged.json',
      deployment([
        { name: 'a', image: 'a:1' },
        { name: 'b', image: 'b:1' },
      ]),
    );
    expect(await kubectl().run(`apply -f ${file}`)).toBe('deployment.apps/merged created');
    await kubectl().run('set env deployment/merged -c a COLOUR=red');
    kubectl().file(file, deployment([{ name: 'a', image: 'a:2' }]));
    expect(await kubectl().run(`apply -f ${file}`)).toBe('deployment.apps/merged configured');
    expect(
      await kubectl().run(
        "get deployment merged -o 'jsonpath={range .spec.template.spec.containers[*]}{.name} {.image} {.env}{end}'",
      ),
    ).toBe('a a:2 [{"name":"COLOUR","value":"red"}]');
    expect(await kubectl().run("get deployment merged -o 'jsonpath={.metadata.generation}'")).toBe('3');
  });

  test('apply --prune deletes objects that are no longer in the set', async () => {
    await kubectl().run('create namespace pruned');
    const labelled = (name: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: pruned, labels: { set: one } }\n`;
    await kubectl().run('apply -f -', { input: `${labelled('first')}---\n${labelled('second')}` });
    const output = await kubectl().run('apply -n pruned --prune -l set=one --prune-allowlist=core/v1/ConfigMap -f -', {
      input: labelled('first'),
    });
    expect(output.split('\n')).toEqual(['configmap/first unchanged', 'configmap/second pruned']);
  });

  test('apply --server-side: conflicts, force and field ownership', async () => {
    const ask = (value: string) => ({ input: configMap('owned', { shared: value }) });
    expect(await kubectl().run('apply --server-side --field-manager=one -f -', ask('1'))).toBe(
      'configmap/owned serverside-applied',
    );
    const complaint = await kubectl().fails('apply --server-side --field-manager=two -f -', ask('2'));
    expect(complaint).toContain('Apply failed with 1 conflict: conflict with "one": .data.shared');
    expect(await kubectl().run("get cm owned -o 'jsonpath={.data.shared}'")).toBe('1');
    expect(await kubectl().run('apply --server-side --field-manager=two --force-conflicts -f -', ask('2'))).toBe(
      'configmap/owned serverside-applied',
    );
    const managers = await kubectl().run(
      "get cm owned --show-managed-fields -o 'jsonpath={range .metadata.managedFields[*]}{.manager}:{.operation} {end}'",
    );
    expect(managers).toBe('two:Apply');
  });

  test('apply --server-side over a client-side apply takes its fields over', async () => {
    await kubectl().run('apply -f -', { input: configMap('moved', { a: '1', b: '2' }) });
    await kubectl().run('apply --server-side -f -', { input: configMap('moved', { a: '3' }) });
    expect((await kubectl().json<ConfigMap>('get cm moved')).data).toEqual({ a: '3' });
  });

  test('diff: reports the difference with its exit code, writes nothing', async () => {
    await kubectl().run('apply -f -', { input: configMap('differs', { x: '1' }) });
    expect((await kubectl().try('diff -f -', { input: configMap('differs', { x: '1' }) })).code).toBe(0);
    const { code, stdout } = await kubectl().try('diff -f -', { input: configMap('differs', { x: '2' }) });
    expect([code, stdout.split('\n').filter((line) => /^[-+] {2}x/.test(line))]).toEqual([
      1,
      ['-  x: "1"', '+  x: "2"'],
    ]);
    const server = await kubectl().try('diff --server-side -f -', { input: configMap('differs', { x: '1', y: '2' }) });
    expect([server.code, server.stdout]).toEqual([1, expect.stringContaining('+  "y": "2"')]);
    expect((await kubectl().json<ConfigMap>('get cm differs')).data).toEqual({ x: '1' });
  });

  test('replace: whole objects, by version, and by force', async () => {
    await kubectl().run('create -f -', { input: configMap('replaced', { a: '1' }) });
    const stale = await kubectl().json<ConfigMap>('get cm replaced');
    expect(await kubectl().run('replace -f -', { input: configMap('replaced', { b: '2' }) })).toBe(
      'configmap/replaced replaced',
    );
    expect((await kubectl().json<ConfigMap>('get cm replaced')).data).toEqual({ b: '2' });
    expect(await kubectl().fails('replace -f -', { input: JSON.stringify(stale) })).toContain(
      'Operation cannot be fulfilled on configmaps "replaced": the object has been modified; please apply your changes to the latest version and try again',
    );
    expect(await kubectl().run('replace --force -f -', { input: configMap('replaced', { c: '3' }) })).toMatch(
      /^configmap "replaced" deleted.*\nconfigmap\/replaced replaced$/,
    );
    expect((await kubectl().json<ConfigMap>('get cm replaced')).metadata.uid).not.toBe(stale.metadata.uid);
  });

  test.each([
    ['merge', '{"data":{"a":null,"b":"2"}}', { b: '2' }],
    [
      'json',
      '[{"op":"test","path":"/data/a","value":"1"},{"op":"add","path":"/data/c","value":"3"}]',
      { a: '1', c: '3' },
    ],
    ['strategic', '{"data":{"d":"4"}}', { a: '1', d: '4' }],
  ])('patch of the type %s', async (type, patch, data) => {
    await kubectl().run('create -f -', { input: configMap(`patched-${type}`, { a: '1' }) });
    expect(await kubectl().run(`patch cm patched-${type} --type ${type} -p '${patch}'`)).toBe(
      `configmap/patched-${type} patched`,
    );
    expect((await kubectl().json<ConfigMap>(`get cm patched-${type}`)).data).toEqual(data);
    expect(await kubectl().run(`patch cm patched-${type} --type merge -p '{}'`)).toBe(
      `configmap/patched-${type} patched (no change)`,
    );
  });

  test('patch: a failed test of a JSON patch, and a patch of a subresource', async () => {
    await kubectl().run('run touched --image=example/touched');
    expect(
      await kubectl().fails(
        `patch pod touched --type json -p '[{"op":"test","path":"/spec/restartPolicy","value":"Never"}]'`,
      ),
    ).toContain('The request is invalid');
    await kubectl().run(
      `patch pod touched --subresource=status --type merge -p '{"status":{"message":"seen"},"spec":{"restartPolicy":"Never"}}'`,
    );
    const fields = "'jsonpath={.spec.restartPolicy} {.status.message}'";
    expect(await kubectl().run(`get pod touched -o ${fields}`)).toBe('Always seen');
  });

  test('label and annotate: set, overwrite, remove', async () => {
    await kubectl().run('create -f -', { input: configMap('marked', {}) });
    expect(await kubectl().run('label cm marked colour=red size=1')).toBe('configmap/marked labeled');
    expect(await kubectl().fails('label cm marked colour=blue')).toContain(
      "'colour' already has a value (red), and --overwrite is false",
    );
    expect(await kubectl().run('label cm marked colour=blue --overwrite')).toBe('configmap/marked labeled');
    expect(await kubectl().run('label cm marked size-')).toBe('configmap/marked unlabeled');
    expect(await kubectl().run("annotate cm marked 'note=a longer text'")).toBe('configmap/marked annotated');
    const { metadata } = await kubectl().json<ConfigMap>('get cm marked');
    expect([metadata.labels, metadata.annotations]).toEqual([{ colour: 'blue' }, { note: 'a longer text' }]);
    expect(await kubectl().run('label cm -l colour=blue batch=yes')).toBe('configmap/marked labeled');
  });

  test('edit: an editor changes the object', async () => {
    await kubectl().run('create -f -', { input: configMap('edited', { word: 'before' }) });
    const env = { KUBE_EDITOR: 'sed -i s/before/after/' };
    expect(await kubectl().run('edit configmap edited', { env })).toBe('configmap/edited edited');
    expect((await kubectl().json<ConfigMap>('get cm edited')).data).toEqual({ word: 'after' });
    const cancelled = await kubectl().try('edit configmap edited', { env: { KUBE_EDITOR: 'true' } });
    expect([cancelled.code, cancelled.stderr.trim()]).toEqual([0, 'Edit cancelled, no changes made.']);
  });

  test('scale: a deployment, with and without its current size', async () => {
    await kubectl().run('create deployment sized --image=example/sized');
    expect(await kubectl().run('scale deployment sized --replicas=4')).toBe('deployment.apps/sized scaled');
    expect(await kubectl().fails('scale deployment sized --current-replicas=2 --replicas=3')).toContain(
      'Expected replicas to be 2, was 4',
    );
    expect(await kubectl().run("get deployment sized -o 'jsonpath={.spec.replicas} {.metadata.generation}'")).toBe(
      '4 2',
    );
    const scale = JSON.parse(
      await kubectl().run('get --raw /apis/apps/v1/namespaces/default/deployments/sized/scale'),
    ) as object;
    expect(scale).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 4 },
      status: { selector: 'app=sized' },
    });
  });

  test('describe: fields, labels and data', async () => {
    await kubectl().run('create -f -', { input: configMap('described', { greeting: 'hello' }) });
    const text = await kubectl().run('describe configmap described');
    expect(text).toMatch(
      /^Name: +described\nNamespace: +default\nLabels: +<none>\nAnnotations: +<none>\n\nData\n====\ngreeting:\n----\nhello\n/,
    );
    expect(await kubectl().run('describe namespace default')).toMatch(
      /^Name: +default\nLabels: +kubernetes.io\/metadata.name=default\n.*\nStatus: +Active\n/,
    );
    await kubectl().run('run talkative --image=example/talkative');
    await eventually(async () =>
      expect(await kubectl().run('describe pod talkative')).toMatch(
        /^Name: +talkative\nNamespace: +default\n.*Image: +example\/talkative\n.*PodScheduled +False.*QoS Class: +BestEffort\n.*Warning +FailedScheduling .*default-scheduler +no nodes available to schedule pods/s,
      ),
    );
  });

  test('delete: by name, by selector, all, an absent object, and one with a finalizer', async () => {
    await kubectl().run('create namespace emptied');
    for (const name of ['a', 'b', 'c', 'd'])
      await kubectl().run('create -n emptied -f -', { input: configMap(name, {}) });
    expect(await kubectl().run('delete cm a -n emptied')).toMatch(/^configmap "a" deleted( from emptied namespace)?$/);
    expect(await kubectl().fails('delete cm a -n emptied')).toBe(
      'Error from server (NotFound): configmaps "a" not found',
    );
    expect(await kubectl().run('delete cm a -n emptied --ignore-not-found')).toBe('');
    await kubectl().run('label cm b -n emptied go=yes');
    expect(await kubectl().run('delete cm -n emptied -l go=yes -o name')).toBe('configmap/b');
    await kubectl().run(`patch cm c -n emptied --type merge -p '{"metadata":{"finalizers":["davit.test/hold"]}}'`);
    await kubectl().run('delete cm --all -n emptied --wait=false');
    expect(await kubectl().run("get cm -n emptied -o 'jsonpath={.items[*].metadata.name}'")).toContain('c');
    await kubectl().run(`patch cm c -n emptied --type merge -p '{"metadata":{"finalizers":null}}'`);
    expect(await kubectl().run('wait --for=delete cm/c -n emptied --timeout=60s')).toBe('');
    expect(await kubectl().fails('get cm c d -n emptied')).toContain('configmaps "c" not found');
  });
});
