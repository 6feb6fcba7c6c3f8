from __future__ import annotations

import pytest
from retrieval_builders import new_store, put_item

from memory.retrieval.grams import grams, query_grams


def found(text: str, query: str) -> bool:
    db = new_store()
    put_item(db, text)
    match = " OR ".join(f'"{piece}"' for piece in query_grams(query) or (query,))
    return bool(db.execute("SELECT rowid FROM item_fts WHERE item_fts MATCH ?", [match]).fetchall())


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我的狗叫饼干。", "狗"),
        ("我的狗叫饼干。", "饼干"),
        ("東京に住んでいます", "東京"),
        ("バニラが好きです", "バニラ"),
        ("저는 서울에서 살아요", "서울"),
        ("ผมอยู่กรุงเทพ", "กรุงเทพ"),
        ("ຂ້ອຍຢູ່ວຽງຈັນ", "ວຽງຈັນ"),
        ("ខ្ញុំរស់នៅភ្នំពេញ", "ភ្នំពេញ"),
        ("मेरे कुत्ते का नाम शेरू है", "शेरू"),
        ("iPhone手机在桌子上", "iphone"),
        ("Ich wohne in der Hauptstraße", "hauptstrasse"),
        ("订单号ＡＢ１２３", "ab123"),
        ("ｶﾅ文字", "カナ"),
    ],
)
def test_a_word_is_found_in_every_script(text: str, query: str) -> None:
    assert found(text, query)


@pytest.mark.parametrize(("text", "query"), [("我的狗叫饼干。", "猫"), ("東京に住んでいます", "大阪")])
def test_another_word_is_not(text: str, query: str) -> None:
    assert not found(text, query)


def test_latin_text_needs_no_grams() -> None:
    assert grams("My dog is called Biscuit, 3 years old.") == ""


def test_combining_marks_stay_with_their_letter() -> None:
    assert "กรุ" in grams("กรุงเทพ").split()
