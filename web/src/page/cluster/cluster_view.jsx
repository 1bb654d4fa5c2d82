import { useComputed, useSignal } from '@preact/signals';
import { ChangeTools } from '../changes/changes_view.jsx';
import { ClusterCanvas } from './cluster_canvas.jsx';
import { detailFor, layoutOf } from './cluster_layout.js';
import { foundIn, nextHit } from './cluster_search.js';
import { ColourChoice, Legend } from './legend.jsx';
import { Pending } from './pending.jsx';
import { Worlds } from './worlds.jsx';

/** @import { ReadonlySignal, Signal } from '@preact/signals' */
/** @import { Detail } from './cluster_layout.js' */
/** @import { Found, Hit } from './cluster_search.js' */
/** @import { Session } from '../session.js' */

/** @type {readonly { detail: Detail, title: string }[]} */
const DETAILS = [
  { detail: 'words', title: 'amounts' },
  { detail: 'blocks', title: 'pods' },
  { detail: 'overview', title: 'how full' },
];

/** The cluster, and its pods without a node. @param {{ session: Session }} props */
export function ClusterView({ session }) {
  const search = useSignal('');
  const detail = useSignal(/** @type {Detail | null} */ (null));
  const sought = useSignal(/** @type {Hit | null} */ (null));
  const found = useComputed(() => foundIn(session.cluster.value, search.value));
  return (
    <div class="cluster">
      <div class="tools">
        <Search session={session} search={search} found={found} sought={sought} />
        <DetailChoice session={session} detail={detail} />
        <ColourChoice hueBy={session.hueBy} />
        <ChangeTools session={session} />
      </div>
      <Legend session={session} />
      <Worlds session={session}>
        {(side) => <Side session={side} search={search} detail={detail} sought={sought} />}
      </Worlds>
    </div>
  );
}

/**
 * A cluster, or one of two that are compared.
 * @param {{ session: Session, search: ReadonlySignal<string>, detail: ReadonlySignal<Detail |
 *   null>, sought: ReadonlySignal<Hit | null> }} props
 */
function Side({ session, search, detail, sought }) {
  const found = useComputed(() => foundIn(session.cluster.value, search.value));
  const { hueBy } = session;
  return (
    <>
      <ClusterCanvas {...{ session, found, hueBy, detail, sought }} />
      <Pending session={session} found={found} />
    </>
  );
}

/**
 * Enter goes to the next search result.
 * @param {{ session: Session, search: Signal<string>, found: ReadonlySignal<Found | null>, sought:
 *   Signal<Hit | null> }} props
 */
function Search({ session, search, found, sought }) {
  const next = () => {
    if (!found.value) return;
    // The order of the nodes does not depend on the width.
    const layout = layoutOf(session.cluster.value, 0);
    const hit = nextHit(layout, found.value, sought.value);
    sought.value = hit;
    if (hit?.pod !== undefined) session.selectPod(hit.pod);
    else if (hit) session.selectNode(hit.node);
  };
  return (
    <>
      <label class="search">
        <span class="unseen">Search</span>
        <input
          type="search"
          placeholder="Search nodes, pods"
          value={search}
          title="Search (/): Enter goes to the next one"
          onInput={({ currentTarget }) => {
            search.value = currentTarget.value;
            sought.value = null;
          }}
          onKeyDown={({ key }) => key === 'Enter' && next()}
        />
      </label>
      <span class="hint" aria-live="polite">
        {found.value && `${found.value.nodes.size} nodes, ${found.value.pods.size} pods`}
      </span>
    </>
  );
}

/** @param {{ session: Session, detail: Signal<Detail | null> }} props */
function DetailChoice({ session, detail }) {
  const shown = detail.value ?? detailFor(session.cluster.value.nodes.size);
  return (
    <label>
      Show{' '}
      <select
        value={shown}
        onChange={({ currentTarget }) => {
          detail.value = /** @type {Detail} */ (currentTarget.value);
        }}
      >
        {DETAILS.map((one) => (
          <option key={one.detail} value={one.detail}>
            {one.title}
          </option>
        ))}
      </select>
    </label>
  );
}
