import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pngScale } from '../../../../web/src/page/share/picture.js';
import { SvgCanvas } from '../../../../web/src/page/share/svg_canvas.js';

/** Every character is half as wide as the font is high. */
const RULER = {
  font: '',
  measureText(/** @type {string} */ text) {
    return /** @type {TextMetrics} */ ({ width: (text.length * parseInt(this.font, 10)) / 2 });
  },
};

test('texts are measured in the font that is set', () => {
  const canvas = new SvgCanvas(100, 50, RULER);
  canvas.font = '10px sans-serif';
  assert.equal(canvas.measureText('four').width, 20);
  canvas.font = '20px sans-serif';
  assert.equal(canvas.measureText('four').width, 40);
});

test('shapes are written with their transformations', () => {
  const canvas = new SvgCanvas(100, 50.2, RULER);
  canvas.save();
  canvas.translate(10, 5);
  canvas.fillStyle = '#123456';
  canvas.fillRect(1, 2, 3.456, 4);
  canvas.globalAlpha = 0.25;
  canvas.strokeStyle = 'red';
  canvas.lineWidth = 2;
  canvas.setLineDash([3, 1]);
  canvas.strokeRect(0, 0, 1, 1);
  canvas.restore();
  canvas.setLineDash([]);
  canvas.beginPath();
  canvas.roundRect(0, 0, 10, 8, 2);
  canvas.fill();
  canvas.textAlign = 'right';
  canvas.font = '600 12px "A & B"';
  canvas.fillText('<a> & b', 7, 8);
  assert.deepEqual(canvas.toSvg('A "title"').split('\n'), [
    '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="51" viewBox="0 0 100 51">',
    '<title>A &quot;title&quot;</title>',
    '<rect x="11" y="7" width="3.46" height="4" fill="#123456"/>',
    '<rect x="10" y="5" width="1" height="1" fill="none" stroke="red" stroke-width="2" ' +
      'stroke-dasharray="3 1" opacity="0.25"/>',
    '<path d="M2 0h6a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-6a2 2 0 0 1 -2 -2v-4a2 2 0 0 1 2 -2Z" ' +
      'fill="#123456"/>',
    '<text x="7" y="8" style="font:600 12px &quot;A &amp; B&quot;" text-anchor="end" ' +
      'fill="#123456">&lt;a&gt; &amp; b</text>',
    '</svg>',
    '',
  ]);
});

test('pictures are sharp where there is room, and never larger than a browser draws', () => {
  assert.equal(pngScale(1200, 300), 2);
  for (const [width, height] of [
    [1200, 60_000],
    [5000, 5000],
  ]) {
    const scale = pngScale(width, height);
    assert.ok(height * scale <= 8192);
    assert.ok(width * height * scale ** 2 <= 16_777_216 + 1);
  }
});
