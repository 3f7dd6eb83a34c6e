import { beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { describeKubectls, type Kubectl } from './kubectl.ts';
import { WIDGETS, widget } from './widgets.ts';

/** Waits for a definition. kubectl fails on a definition without conditions, and upstream's have none for a moment. */
const established = (kubectl: Kubectl, definition: string): Promise<void> =>
  eventually(async () =>
    expect((await kubectl.try(`wait --for=condition=Established crd/${definition} --timeout=60s`)).code).toBe(0),
  );

describeKubectls('custom resources', (kubectl) => {
  beforeAll(async () => {
    await kubectl().run('create -f -', { input: WIDGETS });
    await established(kubectl(), 'widgets.davit.test');
  });

  test('the definition is listed, and its resources are discovered', async () => {
    expect(await kubectl().run('get crd -o name')).toBe(
      'customresourcedefinition.apiextensions.k8s.io/widgets.davit.test',
    );
    expect(await kubectl().run('api-resources --api-group davit.test --no-headers')).toMatch(
      /^widgets +wd +davit.test\/v1 +true +Widget$/,
    );
    expect((await kubectl().run('api-versions')).split('\n')).toEqual(
      expect.arrayContaining(['davit.test/v1', 'davit.test/v1beta1']),
    );
    expect(await kubectl().run('get apiservices v1.davit.test --no-headers')).toMatch(
      /^v1.davit.test +Local +True +(\d+[ms])+$/,
    );
  });

  test('create, default, prune, columns', async () => {
    const created = await kubectl().try('create --validate=false -f -', {
      input: widget('plain', '{ size: 3, odd: 1 }'),
    });
    expect([created.code, created.stdout]).toEqual([0, 'widget.davit.test/plain created\n']);
    expect(await kubectl().run("get wd plain -o 'jsonpath={.spec}'")).toBe('{"colour":"grey","size":3}');
    expect(await kubectl().run('get widgets plain')).toMatch(/^NAME +SIZE +PHASE\nplain +3$/);
    expect(await kubectl().run('get widgets plain -o wide')).toMatch(/^NAME +SIZE +PHASE +COLOUR\nplain +3 +grey$/);
    expect(await kubectl().run('get toys -o name')).toContain('widget.davit.test/plain');
    expect(await kubectl().run("get widgets.v1beta1.davit.test plain -o 'jsonpath={.apiVersion}'")).toBe(
      'davit.test/v1beta1',
    );
  });

  test('rejects values that the schema forbids in its words', async () => {
    const complaint = await kubectl().fails('create -f -', { input: widget('huge', '{ size: 11, colour: pink }') });
    expect(complaint.split('\n').sort()).toEqual([
      '* spec.colour: Unsupported value: "pink": supported values: "grey", "red", "blue"',
      '* spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
      'The Widget "huge" is invalid: ',
    ]);
    expect(await kubectl().fails('create -f -', { input: widget('odd', '{ size: 1, odd: 1 }') })).toContain(
      'unknown field "spec.odd"',
    );
    expect(await kubectl().fails('create --validate=false -f -', { input: widget('none', '{}') })).toContain(
      'spec.size: Required value',
    );
  });

  test('apply, apply --server-side, patch', async () => {
    expect(await kubectl().run('apply -f -', { input: widget('worked', '{ size: 1, colour: red }') })).toBe(
      'widget.davit.test/worked created',
    );
    expect(await kubectl().run('apply -f -', { input: widget('worked', '{ size: 2 }') })).toBe(
      'widget.davit.test/worked configured',
    );
    expect(await kubectl().run("get wd worked -o 'jsonpath={.spec} {.metadata.generation}'")).toBe(
      '{"colour":"grey","size":2} 2',
    );
    const parts = (text: string) => ({ input: widget('listed', `{ size: 1, parts: [${text}] }`) });
    await kubectl().run('apply --server-side --field-manager=one -f -', parts('{ name: a, count: 1 }'));
    await kubectl().run('apply --server-side --field-manager=two -f -', parts('{ name: b, count: 2 }'));
    expect(await kubectl().run("get wd listed -o 'jsonpath={.spec.parts}'")).toBe(
      '[{"count":1,"name":"a"},{"count":2,"name":"b"}]',
    );
    expect(
      await kubectl().fails('apply --server-side --field-manager=two -f -', parts('{ name: a, count: 2 }')),
    ).toContain('conflict with "one": .spec.parts[name="a"].count');
    expect(await kubectl().run(`patch wd worked --type merge -p '{"spec":{"size":5}}'`)).toBe(
      'widget.davit.test/worked patched',
    );
    expect(
      await kubectl().run(`patch wd worked --type json -p '[{"op":"replace","path":"/spec/size","value":6}]'`),
    ).toBe('widget.davit.test/worked patched');
    expect(await kubectl().fails(`patch wd worked --type strategic -p '{"spec":{"size":7}}'`)).toContain('strategic');
  });

  test('status and scale', async () => {
    await kubectl().run('create -f -', { input: widget('stated', '{ size: 4, replicas: 1 }') });
    await kubectl().run(
      `patch wd stated --subresource=status --type merge -p '{"status":{"phase":"Ready","replicas":1},"spec":{"size":9}}'`,
    );
    expect(await kubectl().run("get wd stated -o 'jsonpath={.spec.size} {.status.phase} {.metadata.generation}'")).toBe(
      '4 Ready 1',
    );
    expect(await kubectl().run('scale wd stated --replicas=3')).toBe('widget.davit.test/stated scaled');
    expect(await kubectl().run("get wd stated -o 'jsonpath={.spec.replicas} {.metadata.generation}'")).toBe('3 2');
  });

  test('selects objects by declared selectable fields', async () => {
    await kubectl().run('create -f -', { input: widget('blue', '{ size: 1, colour: blue }') });
    expect(await kubectl().run('get wd -o name --field-selector spec.colour=blue')).toBe('widget.davit.test/blue');
  });

  test('wait: for a condition and for a field', async () => {
    await kubectl().run('create -f -', { input: widget('awaited', '{ size: 1 }') });
    const condition = kubectl().try('wait wd/awaited --for=condition=Ready --timeout=60s');
    const field = kubectl().try('wait wd/awaited --for=jsonpath={.status.phase}=Done --timeout=60s');
    await kubectl().run(
      `patch wd awaited --subresource=status --type merge -p '{"status":{"phase":"Done","conditions":[{"type":"Ready","status":"True"}]}}'`,
    );
    expect((await condition).stdout).toBe('widget.davit.test/awaited condition met\n');
    expect((await field).stdout).toBe('widget.davit.test/awaited condition met\n');
    expect(await kubectl().fails('wait wd/awaited --for=condition=Never --timeout=1s')).toContain(
      'timed out waiting for the condition on widgets/awaited',
    );
  });

  test('describe and edit', async () => {
    await kubectl().run('create -f -', { input: widget('seen', '{ size: 2 }') });
    expect(await kubectl().run('describe wd seen')).toMatch(
      /^Name: +seen\nNamespace: +default\n.*Kind: +Widget\n.*Spec:\n {2}Colour: +grey\n {2}Size: +2\nEvents: +<none>/s,
    );
    expect(await kubectl().run('edit wd seen', { env: { KUBE_EDITOR: "sed -i 's/size: 2/size: 8/'" } })).toBe(
      'widget.davit.test/seen edited',
    );
    expect(await kubectl().run("get wd seen -o 'jsonpath={.spec.size}'")).toBe('8');
  });

  test('explain: kinds, fields and all below', async () => {
    expect(await kubectl().run('explain widgets')).toMatch(
      /^GROUP: +davit.test\nKIND: +Widget\nVERSION: +v1\n\nDESCRIPTION:\n +A widget is a small thing.\n/,
    );
    expect(await kubectl().run('explain widgets.spec.size')).toMatch(
      /FIELD: size <integer>\n\n\nDESCRIPTION:\n +How big it is.$/,
    );
    expect(await kubectl().run('explain widgets.spec.colour')).toContain('grey');
    expect(await kubectl().run('explain widgets --recursive')).toMatch(
      /parts\t<\[\]Object>\n +count\t<integer>\n +name\t<string> -required-/,
    );
    expect(await kubectl().run('explain widgets.spec --api-version=davit.test/v1beta1')).toMatch(
      /^GROUP: +davit.test\nKIND: +Widget\nVERSION: +v1beta1\n/,
    );
    expect(await kubectl().fails('explain widgets.nothing')).toContain('field "nothing" does not exist');
  });

  test('deleting a definition deletes its objects and its resources', async () => {
    const input = WIDGETS.replaceAll('widget', 'gadget')
      .replaceAll('Widget', 'Gadget')
      .replaceAll('davit.test', 'short.davit.test')
      .replace('[wd]', '[gd]');
    await kubectl().run('create -f -', { input });
    await established(kubectl(), 'gadgets.short.davit.test');
    await kubectl().run('create -f -', {
      input: 'apiVersion: short.davit.test/v1\nkind: Gadget\nmetadata: { name: brief }\nspec: { size: 1 }',
    });
    expect(await kubectl().run('delete crd gadgets.short.davit.test --timeout=60s')).toBe(
      'customresourcedefinition.apiextensions.k8s.io "gadgets.short.davit.test" deleted',
    );
    expect(await kubectl().fails('get --raw /apis/short.davit.test/v1')).toContain('(NotFound)');
    await kubectl().run('create -f -', { input });
    await established(kubectl(), 'gadgets.short.davit.test');
    expect(await kubectl().run('get gadgets.short.davit.test -o name')).toBe('');
  });
});
